"""Environments of PettingZoo, in which the emulated game is the referee.

>>> from anticlock.zoo import TicTacToe
>>> env = TicTacToe()
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, ended, cut, info = env.last()
...     env.step(None if ended or cut else env.action_space(agent).sample(observation["action_mask"]))

Whose turn it is, which actions are legal, and who has won is what the program in the machine says: no rules of these games are in here.
Tic-Tac-Toe and Checkers have two agents; in Hexapawn one agent plays against the program, which learns within an episode only.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from anticlock.atari import Atari

__all__ = ["Checkers", "EmulatedGame", "Hexapawn", "TicTacToe"]

Observation: TypeAlias = dict[str, npt.NDArray[np.int8]]
"""observation: the board; action_mask: 1 for each legal action."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the program waits for."""

    agent: str | None
    """Who is to move; None at the game's end."""
    rewards: dict[str, float]
    """At the end, 1 for who has won and -1 for who has lost; 0 for a tie."""


class EmulatedGame(AECEnv[str, Observation, int | None]):
    """A game in a machine. Moves are typed; a step ends when the program waits for the next one.

    atari: the machine that plays, to look at (text, rgb, why and so on).
    render_mode: rgb_array or None.
    """

    program: ClassVar[str]
    """The built-in program."""
    title: ClassVar[str]
    """A text on its title page."""
    variables: ClassVar[tuple[str, ...]]
    """Variables of the program that are read."""
    shape: ClassVar[tuple[int, ...]]
    """The dimensions of the board."""
    count: ClassVar[int]
    """Number of actions."""
    players: ClassVar[tuple[str, ...]]
    """The agents, in the order in which they move first."""
    patience: ClassVar[int] = 3600
    """Frames that a step takes at most."""

    def __init__(self, render_mode: str | None = None) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is 'rgb_array' or None, not {render_mode!r}")
        self.metadata = {
            "name": f"anticlock_{self.program.replace('-', '_')}_v0",
            "render_modes": ["rgb_array"],
            "is_parallelizable": False,
            "render_fps": 60,
        }
        self.render_mode = render_mode
        self.possible_agents = list(self.players)
        self.agents: list[str] = []
        self._spaces = {agent: spaces.Discrete(self.count) for agent in self.players}
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, self.shape, np.int8),
                "action_mask": spaces.Box(0, 1, (self.count,), np.int8),
            }
        )
        self._observations = dict.fromkeys(self.players, seen)
        self._chance, _ = seeding.np_random()
        title = Atari(self.program, history=False)
        title.run_until(text=self.title)
        title.run(30)
        self._title = title
        self.atari = title
        self._at: dict[str, int] = {}
        self._mask = np.zeros(self.count, dtype=np.int8)

    # The program.

    @abstractmethod
    def _begin(self) -> None:
        """From the title page to the first turn."""

    @abstractmethod
    def _turn(self) -> Turn | None:
        """What the program waits for; None while it is busy."""

    @abstractmethod
    def _legal(self) -> list[int]:
        """The actions that the program takes now."""

    @abstractmethod
    def _board(self, agent: str) -> npt.NDArray[np.int8]:
        """The board as the agent sees it."""

    @abstractmethod
    def entry(self, action: int) -> str:
        """What is typed for an action."""

    def _number(self, name: str, offset: int = 0) -> int:
        """A whole number of BASIC."""
        at = self._at[name] + 6 * offset
        data = self.atari.memory[at : at + 6]
        digits = (data[0] & 0x7F) - 0x3F
        size = int(data[1 : 1 + digits].hex()) if digits > 0 else 0
        return -size if data[0] & 0x80 else size

    def _string(self, name: str, length: int) -> bytes:
        at = self._at[name]
        return self.atari.memory[at : at + length]

    def _wait(self) -> Turn:
        for _ in range(self.patience):
            self.atari.run()
            if (turn := self._turn()) is not None:
                return turn
        raise RuntimeError(f"the program does not continue; its screen shows {self.atari.text.strip()[:80]!r}")

    # PettingZoo.

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """A dictionary of the board (observation) and the legal actions (action_mask)."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The moves by their numbers, see entry."""
        return self._spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. With a seed it is the game of that seed; without, the chance of the one before continues."""
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        self.atari = self._title.clone()
        # What the program leaves to chance depends on when it is played.
        self.atari.run(int(self._chance.integers(1, 256)))
        self._begin()
        if not self._at:
            for name in self.variables:
                place = self.atari._machine.variable(name)
                assert place is not None, name
                self._at[name] = place[0]
        self.agents = list(self.players)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._take(self._wait())

    def _take(self, turn: Turn) -> None:
        self._mask[:] = 0
        if turn.agent is None:
            self.rewards.update(turn.rewards)
            self.terminations = dict.fromkeys(self.agents, True)
            return
        self.agent_selection = turn.agent
        self._mask[self._legal()] = 1

    def observe(self, agent: str) -> Observation:
        """The board as the agent sees it, and its legal actions; none while another one is to move."""
        mine = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = self._mask.copy() if mine else np.zeros_like(self._mask)
        return {"observation": self._board(agent), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays a move of the agent whose turn it is. Raises ValueError for one that the program does not take."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < self.count or not self._mask[action]:
            raise ValueError(f"{agent} cannot play {action}: see action_mask")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._played(int(action))
        self.atari.type(self.entry(int(action)))
        self._take(self._wait())
        if self.terminations[agent]:
            self.agent_selection = self.players[(self.players.index(agent) + 1) % len(self.players)]
        self._accumulate_rewards()

    def _played(self, action: int) -> None:
        """A move is about to be typed."""

    def render(self) -> npt.NDArray[np.uint8] | None:
        """The last picture: 240 rows of 376 by red, green, blue."""
        return None if self.render_mode is None else self.atari.rgb

    def close(self) -> None:
        """Lets go of the machine."""
        self.atari.close()
        self._title.close()


class TicTacToe(EmulatedGame):
    """Two agents, x and o. Action n marks square n, row by row from 0. The board is 3 by 3 by the agent's marks and the other's."""

    program = "tic-tac-toe"
    title = "ESC  MENU"
    variables = ("MARKS", "BOARD(1)", "WON", "LOST", "TIES")
    shape = (3, 3, 2)
    count = 9
    players = ("x", "o")

    def _begin(self) -> None:
        self.atari.type("3")
        self.atari.run(10)
        self.atari.type("{start}")
        self._marks = 0
        self.atari.run_until(text="X: ROW 1-3")

    def _played(self, action: int) -> None:
        self._marks += 1

    def _turn(self) -> Turn | None:
        if self._number("MARKS") != self._marks:
            return None
        text = self.atari.text
        agent = self.players[self._marks % 2]
        if f"{agent.upper()}: ROW 1-3" in text:
            return Turn(agent, {})
        if "ANOTHER GAME?" not in text:
            return None
        won = self._number("WON") - self._number("LOST")
        return Turn(None, {"x": float(won), "o": float(-won)})

    def _legal(self) -> list[int]:
        return [square for square in range(9) if self._number("BOARD(1)", square) == 0]

    def _board(self, agent: str) -> npt.NDArray[np.int8]:
        marks = np.array([self._number("BOARD(1)", square) for square in range(9)])
        own = 1 + self.players.index(agent)
        return np.stack([marks == own, marks == 3 - own], axis=-1).reshape(self.shape).astype(np.int8)

    def entry(self, action: int) -> str:
        """Row and column."""
        return f"{action // 3 + 1}{action % 3 + 1}"


class Hexapawn(EmulatedGame):
    """One agent, player, against the program, which moves the upper pawns. Action 3 * square + n moves the pawn on a square (row by row from 0)
    one row up: n is 0 to the left, 1 straight, 2 to the right. The board is 3 by 3 by the agent's pawns and the program's."""

    program = "hexapawn"
    title = "46 MOVES"
    variables = ("P$", "SHOWN$", "WON", "LOST", "F")
    shape = (3, 3, 2)
    count = 27
    players = ("player",)

    def _begin(self) -> None:
        self.atari.type("{start}")
        self._before = b""
        self.atari.run_until(text="YOUR MOVE")

    def _played(self, action: int) -> None:
        self._before = self._string("P$", 9)

    def _turn(self) -> Turn | None:
        text = self.atari.text
        if "ANOTHER GAME?" in text or self._number("WON") + self._number("LOST"):
            won = self._number("LOST") - self._number("WON")
            return Turn(None, {"player": float(won)}) if won else None
        # After a move of each, the board is another one, and all of it is shown.
        board = self._string("P$", 9)
        waits = "YOUR MOVE" in text and board != self._before and board == self._string("SHOWN$", 9)
        return Turn("player", {}) if waits else None

    def _legal(self) -> list[int]:
        # The program lights the squares to which a pawn that was picked can go: a copy picks each.
        played = self.atari
        legal = []
        for square, pawn in enumerate(self._string("P$", 9)):
            if pawn != ord("O"):
                continue
            self.atari = played.clone()
            self.atari.type(str(square + 1))
            self.atari.run_until(text=f"FROM {square + 1} TO", limit=120)
            lit = self._string("SHOWN$", 9)
            legal += [3 * square + n for n in range(3) if square + n >= 4 and lit[square + n - 4] == ord("?")]
        self.atari = played
        return legal

    def _board(self, agent: str) -> npt.NDArray[np.int8]:
        pawns = np.frombuffer(self._string("P$", 9), dtype=np.uint8)
        return np.stack([pawns == ord("O"), pawns == ord("X")], axis=-1).reshape(self.shape).astype(np.int8)

    def entry(self, action: int) -> str:
        """From and to."""
        square = action // 3
        return f"{square + 1},{square + action % 3 - 3}"


class Checkers(EmulatedGame):
    """Two agents, black (who begins, from the first rows) and white. Action 4 * square + n steps or jumps from a square (8 * row + column, A1 is 0):
    n is 0 up to the left, 1 up to the right, 2 down to the left, 3 down to the right. A jump that continues is another step of the same
    agent. The board is 8 by 8 by the agent's men, its kings, the other's men and kings."""

    program = "checkers"
    title = "LEVEL  MIDDLE"
    variables = ("N", "SD", "HOP", "QUIET")
    shape = (8, 8, 4)
    count = 256
    players = ("black", "white")
    # The program's lists of legal steps, and its board (roms/games/checkers/engine.s).
    _FROM, _TO, _BOARD = 33280, 33536, 33024
    _WAYS = (7, 9, -9, -7)

    def _begin(self) -> None:
        self.atari.type("3")
        self.atari.run(15)
        self.atari.type("{start}")
        self._before = b""
        self.atari.run_until(text="BLACK BEGINS")

    def _pieces(self) -> bytes:
        return self.atari.memory[self._BOARD : self._BOARD + 64]

    def _played(self, action: int) -> None:
        self._before = self._pieces()

    def _turn(self) -> Turn | None:
        text = self.atari.text
        if "ANOTHER GAME?" in text:
            won = ("BLACK WINS" in text) - ("WHITE WINS" in text)
            return Turn(None, {"black": float(won), "white": float(-won)})
        if "MOVE:" not in text or "_" not in text.split("MOVE:")[1][:8] or self._pieces() == self._before:
            return None
        return Turn(self.players[self._number("SD") - 1], {})

    def _legal(self) -> list[int]:
        count = self._number("N")
        sources = self.atari.memory[self._FROM : self._FROM + count]
        targets = self.atari.memory[self._TO : self._TO + count]
        legal = []
        for source, target in zip(sources, targets, strict=True):
            step = target - source
            legal.append(4 * source + self._WAYS.index(step // 2 if abs(step) > 9 else step))
        return legal

    def _board(self, agent: str) -> npt.NDArray[np.int8]:
        pieces = np.frombuffer(self._pieces(), dtype=np.uint8)
        own = 1 + self.players.index(agent)
        kinds = [own, own + 2, 3 - own, 5 - own]
        return np.stack([pieces == kind for kind in kinds], axis=-1).reshape(self.shape).astype(np.int8)

    def entry(self, action: int) -> str:
        """From where to where, as C3D4; only the latter for the jump of a piece that continues. RETURN ends it."""
        source, way = divmod(action, 4)
        target = source + self._WAYS[way]
        if not 0 <= target < 64 or self._pieces()[target]:
            target += self._WAYS[way]
        name = "{}{}".format
        first = "" if self._number("HOP") else name("ABCDEFGH"[source % 8], source // 8 + 1)
        return first + name("ABCDEFGH"[target % 8], target // 8 + 1) + "\n"
