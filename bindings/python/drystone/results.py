"""What worlds and recordings answer with. Vectors are arrays of three numbers in world axes unless
said otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, NamedTuple, Optional, Union

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._drystone import Body, Joint


class RayHit(NamedTuple):
    """A surface that a ray or a moved shape meets."""

    body: Body
    fraction: float  # of the way, 0 to 1
    position: np.ndarray  # (3,) [m]
    normal: np.ndarray  # unit, of the surface, against the motion, (3,)
    part: int = -1  # child of a compound; -1: the shape is none
    triangle: int = -1  # of a mesh or height field; -1: it is neither


class Distance(NamedTuple):
    """Where a placed shape and a body are closest or, where they overlap, the points of least
    overlap."""

    body: Body
    gap: float  # along the normal; negative: overlap [m]
    normal: np.ndarray  # unit, from the shape to the body, (3,)
    on_shape: np.ndarray  # (3,) [m]
    on_body: np.ndarray  # (3,) [m]
    part: int = -1
    triangle: int = -1


class Imu(NamedTuple):
    """What an inertial unit measures, in the axes of its site: means of the last inner step."""

    specific_force: np.ndarray  # acceleration less gravity: g upwards at rest, (3,) [m/s^2]
    angular_velocity: np.ndarray  # (3,) [rad/s]
    angular_acceleration: np.ndarray  # (3,) [rad/s^2]


class BodyContact(NamedTuple):
    """One contact point of a body in the last step, as this body sees it."""

    other: Body
    part: int  # child of the body's compound; -1: its shape is none
    triangle: int  # of its mesh or height field; -1: it is neither
    other_part: int
    other_triangle: int
    position: np.ndarray  # (3,) [m]
    normal: np.ndarray  # unit, from the other body to this one, (3,)
    gap: float  # at detection; negative: overlap [m]
    impulse: np.ndarray  # on this body, friction included, (3,) [N s]
    normal_impulse: float  # its part along the normal [N s]


class ContactEvent(NamedTuple):
    """Two bodies that touch, or that did until now. Of a recording the bodies are rows."""

    body_a: Union[Body, int]
    body_b: Union[Body, int]
    normal_impulse: float  # of all points over the step [N s]; ended: 0
    approach_speed: float  # fastest approach of a touching point before the solve [m/s]
    points: int  # most that touched at a time; ended: 0
    position: np.ndarray  # mean of the points by impulse, (3,) [m]; ended: the last
    normal: np.ndarray  # mean likewise, unit, from a to b, (3,)
    attraction: float  # pull of adhesion over the step [N s]; ended: of the last one


class ForcePlate(NamedTuple):
    """A sensor of what contacts do to a body. Of a recording the bodies are rows."""

    body: Union[Body, int]  # on which forces are measured
    other: Union[Body, int, None] = None  # the contacts with this one alone; None: with any
    part: int = -1  # child of the body's compound; -1: all of it
    position: ArrayLike = (0, 0, 0)  # of the site in the body's frame: torques are about it [m]
    orientation: ArrayLike = (1, 0, 0, 0)  # of the site: its plane z = 0 has the centre of pressure
    axes: str = "site"  # of the readings; or "world"
    name: str = ""


class PlateContact(NamedTuple):
    """One contact that pushes a force plate, in the axes of the plate."""

    other: Body  # that pushes
    part: int  # child of the plate's compound; -1: its shape is none
    triangle: int  # of its mesh or height field; -1: it is neither
    other_part: int
    other_triangle: int
    point: np.ndarray  # where it acted last, as the centre of pressure, (3,) [m]
    force: np.ndarray  # on the plate, friction included, (3,) [N]
    torque: np.ndarray  # about the site, (3,) [N m]


class ForcePlateReading(NamedTuple):
    """What a force plate measured in a step, in its axes. How far force, torque and centre may be
    from those of an exact solve is infinite where nothing is known."""

    force: np.ndarray  # on the body, (3,) [N]
    torque: np.ndarray  # about the site, (3,) [N m]
    center: Optional[np.ndarray]  # of pressure, (3,) [m]; None: nothing presses along z
    force_error: float  # [N]
    torque_error: float  # [N m]
    center_error: float  # [m]
    is_sum_unique: bool  # the motion alone says what force and torque are
    are_shares_unique: bool  # it says, too, how the contacts share them
    rank: int  # independent wrenches of the contacts that push, at most 6
    unknowns: int  # their rows
    contacts: List[PlateContact]


class SensorEvent(NamedTuple):
    """A body whose shape came to overlap a sensor's, or ceased to."""

    sensor: Union[Body, int]
    visitor: Union[Body, int]


class JointBreak(NamedTuple):
    """A joint that broke. Of a recording it is a number, and the bodies are rows."""

    joint: Union[Joint, int]
    body_a: Union[Body, int]
    body_b: Union[Body, int]
    impulse: float  # linear impulse that broke it [N s]


class Events(NamedTuple):
    """What began, lasted and ended in a step."""

    begun: List[ContactEvent]
    lasting: List[ContactEvent]
    ended: List[ContactEvent]
    sensors_begun: List[SensorEvent]
    sensors_ended: List[SensorEvent]
    joints_broken: List[JointBreak]


class MotorForce(NamedTuple):
    """What a motor gives in a wanted motion."""

    joint: Joint
    coordinate: int  # ALONG_X to ABOUT_Z
    force: float  # [N], of angles [N m]
    most: float  # its cap, of the same unit


class InverseAnswer(NamedTuple):
    """The forces that make a wanted motion, and what they cannot do. Row i of an array of bodies is
    `world.bodies[i]`; vectors are in world axes."""

    is_possible: bool  # forces within all bounds make it, and no contact blocks it
    is_solved: bool  # else the search ended before: no forces, and NaN for all that lacks
    motors: List[MotorForce]
    contacts: Dict[str, np.ndarray]  # those that touch; see World.inverse_dynamics
    lacking_forces: np.ndarray  # that would do the rest: force [N], torque [N m], (n, 6)
    lacking_accelerations: np.ndarray  # that these would give [m/s^2], [rad/s^2], (n, 6)
    blocked: Dict[str, np.ndarray]  # contacts that the motion presses in
    error: float  # of the search, relative to the forces
    reason: str  # why it ended before; empty: it did not


class RestoreReport(NamedTuple):
    """What a restore left out."""

    bodies_not_here: List[str]  # names of those saved that are not in the world
    joints_not_here: List[str]
    bodies_not_saved: List[Body]  # of the world, where they stay as they are
    joints_not_saved: List[Joint]

    @property
    def is_complete(self) -> bool:
        """Nothing was left out."""
        return not any(self)
