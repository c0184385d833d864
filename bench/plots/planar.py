"""Small planar contact problems for the figures of docs/theory: rods, walls, and the laws (M.9)."""

import numpy as np

GRAVITY = 9.81  # m/s²


class Rod:
    """A leaning rod that touches the ground with its lower end: rows (n, t) of one contact.

    `lean` is its angle to the ground. `b` is the velocity of the end before the impulse.
    """

    def __init__(self, lean, friction, b, mass=1.0, length=1.0):
        inertia = mass * length**2 / 12
        x, y = -0.5 * length * np.cos(lean), -0.5 * length * np.sin(lean)  # arm of the end
        jacobian = np.array([[0, 1, x], [1, 0, -y]])
        self.A = jacobian @ np.diag([1 / mass, 1 / mass, 1 / inertia]) @ jacobian.T
        self.b = np.array(b, dtype=float)
        self.friction = friction
        self.rho = 1 / np.linalg.eigvalsh(self.A)[-1]

    def velocity(self, impulse):
        return self.A @ impulse + self.b

    def shifted(self, impulse):
        """w with De Saxcé's shift."""
        w = self.velocity(impulse)
        return w + np.array([self.friction * abs(w[1]), 0])

    def natural_map(self, impulse):
        """(M.11): the point that is projected, its foot, and F."""
        point = impulse - self.rho * self.shifted(impulse)
        foot = project_on_cone(point, self.friction)
        return point, foot, impulse - foot

    def residual(self, impulse):
        """The judge's figure without its other rules: ‖F‖ / ρ [m/s]."""
        return np.linalg.norm(self.natural_map(impulse)[2]) / self.rho


def project_on_cone(z, friction):
    """Euclidean projection of (z_n, z_t) on |z_t| <= friction z_n."""
    normal, tangent = z
    if abs(tangent) <= friction * normal:
        return np.array([normal, tangent])
    if friction * abs(tangent) <= -normal:
        return np.zeros(2)
    size = (normal + friction * abs(tangent)) / (1 + friction**2)
    return size * np.array([1, friction * np.sign(tangent)])


class Wall:
    """Bricks in running bond on the ground, of 1 kg each; body -1 is the ground.

    `boxes` holds (x, y, width) of each brick, from below. `pairs` holds the touching bodies (lower,
    upper) with the ends (left, right, y) of the line that they share. Bricks of a layer have gaps.
    """

    HEIGHT = 0.5
    GAP = 0.06

    def __init__(self, layers, columns):
        self.boxes = []
        for layer in range(layers):
            shifted = layer % 2 == 1
            for column in range(columns - shifted):
                x = column + 0.5 + 0.5 * shifted
                self.boxes.append((x, (layer + 0.5) * self.HEIGHT, 1 - self.GAP))
        self.pairs = []
        for upper, (x, y, width) in enumerate(self.boxes):
            left, right, base = x - width / 2, x + width / 2, y - self.HEIGHT / 2
            if y < self.HEIGHT:
                self.pairs.append((-1, upper, (left, right, base)))
            for lower, (x2, y2, width2) in enumerate(self.boxes):
                overlap = max(left, x2 - width2 / 2), min(right, x2 + width2 / 2)
                if abs(y - y2 - self.HEIGHT) < 1e-9 and overlap[0] < overlap[1]:
                    self.pairs.append((lower, upper, (*overlap, base)))

    def jacobian(self, with_friction):
        """Rows of two points a pair: normals, or normal and tangent of each; 3 columns a brick."""
        rows = []
        for lower, upper, (left, right, y) in self.pairs:
            for x in (left, right):
                for along_x, along_y in [(0, 1), (1, 0)][:1 + with_friction]:
                    row = np.zeros(3 * len(self.boxes))
                    for body, sign in ((lower, -1), (upper, 1)):
                        if body >= 0:
                            arm_x, arm_y = x - self.boxes[body][0], y - self.boxes[body][1]
                            turn = along_y * arm_x - along_x * arm_y
                            row[3 * body:3 * body + 3] = sign * np.array([along_x, along_y, turn])
                    rows.append(row)
        return np.array(rows)

    def inverse_mass(self):
        inverse = []
        for _, _, width in self.boxes:
            inverse += [1, 1, 12 / (width**2 + self.HEIGHT**2)]
        return np.array(inverse)

    def neighbours(self):
        """Bricks that touch each brick."""
        found = [set() for _ in self.boxes]
        for lower, upper, _ in self.pairs:
            if lower >= 0:
                found[lower].add(upper)
                found[upper].add(lower)
        return found
