"""A contact solver of one's own: projected Gauss-Seidel on the Delassus operator, measured beside
those of drystone. Prints the natural map after so many sweeps."""

import numpy as np

import drystone


def project(impulse, mu):
    """The closest point of a friction cone; the normal comes first."""
    normal, tangent = impulse[0], impulse[1:]
    length = np.linalg.norm(tangent)
    if length <= mu * normal:
        return impulse
    if mu * length <= -normal:
        return np.zeros(3)
    along = (normal + mu * length) / (1 + mu * mu)
    return np.concatenate([[along], mu * along * tangent / length])


def natural_map(W, q, mu, impulses):
    """Distance [m/s] of the velocities from those that the law asks for, at unit steps of each row:
    the largest over contacts of the change that one projection makes."""
    worst = 0.0
    velocity = W @ impulses + q
    for i, friction in enumerate(mu):
        rows = slice(3 * i, 3 * i + 3)
        u = velocity[rows].copy()
        u[0] += friction * np.linalg.norm(u[1:])  # Alart and Curnier: the law as a projection
        step = 1 / np.trace(W[rows, rows]) * 3
        change = impulses[rows] - project(impulses[rows] - step * u, friction)
        worst = max(worst, np.linalg.norm(change) / step)
    return worst


def sweeps(W, q, mu, count):
    """Gauss-Seidel: each contact in turn takes one projected step on its own block."""
    impulses = np.zeros_like(q)
    for _ in range(count):
        for i, friction in enumerate(mu):
            rows = slice(3 * i, 3 * i + 3)
            block = W[rows, rows]
            u = W[rows] @ impulses + q[rows]
            u[0] += friction * np.linalg.norm(u[1:])
            step = 1 / np.linalg.eigvalsh(block)[-1]
            impulses[rows] = project(impulses[rows] - step * u, friction)
    return impulses


def pile(contacts, seed=1):
    """A random pile: bodies of 1 to 10 kg, each contact between two of them or one and the ground."""
    random = np.random.default_rng(seed)
    bodies = contacts // 3
    masses = random.uniform(1, 10, bodies)
    H = np.zeros((3 * bodies, 3 * contacts))
    for i in range(contacts):
        below, above = random.integers(-1, bodies), random.integers(0, bodies)
        frame = np.linalg.qr(random.normal(size=(3, 3)))[0]
        H[3 * above : 3 * above + 3, 3 * i : 3 * i + 3] = frame
        if below >= 0 and below != above:
            H[3 * below : 3 * below + 3, 3 * i : 3 * i + 3] = -frame
    weights = np.repeat(masses, 3)
    W = H.T @ (H / weights[:, None]) + 1e-6 * np.eye(3 * contacts)
    q = H.T @ random.normal(size=3 * bodies)
    return W, q, random.uniform(0.2, 0.8, contacts)


W, q, mu = pile(contacts=30)
for count in (10, 100, 1000):
    mine = sweeps(W, q, mu, count)
    print(f"mine, {count:4d} sweeps: {natural_map(W, q, mu, mine):.1e} m/s")
exact = drystone.solve(drystone.Problem.delassus(W, q, mu), tolerance=1e-10)
print(f"auto, {exact.status}: {exact.natural_map:.1e} m/s as it is judged")

# Both find the velocities of the same pile.
assert natural_map(W, q, mu, mine) < 1e-4
assert np.abs(W @ mine + q - exact.velocities).max() < 1e-3
