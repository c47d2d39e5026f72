"""Environments of PettingZoo, in which the emulated game is the referee.

>>> from anticlock.zoo import TicTacToe
>>> env = TicTacToe()
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, ended, cut, info = env.last()
...     env.step(None if ended or cut else env.action_space(agent).sample(observation["action_mask"]))

Whose turn it is, which actions are legal, and who has won is what the program in the machine says: no rules of these games are in here.
Tic-Tac-Toe, Checkers and Gammon have two agents; in Hexapawn (where it learns within an episode only), Crazy Eights and Go Fish one agent plays against the program.
"""

from abc import abstractmethod
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from anticlock.atari import Atari
from anticlock.batch import controls

__all__ = ["Checkers", "CrazyEights", "EmulatedGame", "Gammon", "GoFish", "Hexapawn", "TicTacToe"]

Observation: TypeAlias = dict[str, npt.NDArray[np.int8]]
"""observation: the board; action_mask: 1 for each legal action."""

_CH = 764
"""The OS's key cell: the code of the key that was pressed, 255 after a program has taken it."""
_LOOKS = 2
"""Frames between two looks at a program that is busy."""


@cache
def _code(key: str) -> int:
    """The keyboard's code of a character."""
    return int(controls(["key:" + ("return" if key == "\n" else key.lower())])[0, 2]) - 1


@dataclass(frozen=True, slots=True)
class Turn:
    """What the program waits for."""

    agent: str | None
    """Who is to move; None at the game's end."""
    rewards: dict[str, float]
    """At the end, 1 for who has won and -1 for who has lost; 0 for a tie."""


class EmulatedGame(AECEnv[str, Observation, int | None]):
    """A game in a machine. Moves are entered by its keys; a step ends when the program waits for the next one.

    atari: the machine that plays, to look at (text, memory and so on). It draws its picture with render_mode="rgb_array" only.
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
    longest: ClassVar[int] = 1000
    """Moves after which a game is truncated: one of an agent that only passes need not end."""

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
        title.drawing = render_mode is not None
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
        for _ in range(0, self.patience, _LOOKS):
            self.atari.run(_LOOKS)
            if (turn := self._turn()) is not None:
                return turn
        raise RuntimeError(f"the program does not continue; its screen shows {self.atari.text.strip()[:80]!r}")

    def _keys(self, text: str) -> None:
        """Presses keys as the OS's keyboard interrupt notes them, each after the program has taken the one before."""
        for key in text:
            self.atari.memory[_CH] = _code(key)
            self.atari.run_until(lambda atari: atari.memory[_CH] == 255, limit=600)

    @contextmanager
    def _copy(self) -> Generator[None]:
        """A copy takes the machine's place, and tries something."""
        played = self.atari
        self.atari = played.clone()
        self.atari.drawing = False
        try:
            yield
        finally:
            self.atari.close()
            self.atari = played

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
        self._moves = 0
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
        self._enter(int(action))
        self._moves += 1
        self._take(self._wait())
        if self._moves >= self.longest and not self.terminations[agent]:
            self.truncations = dict.fromkeys(self.agents, True)
        if self.terminations[agent]:
            self.agent_selection = self.players[(self.players.index(agent) + 1) % len(self.players)]
        self._accumulate_rewards()

    def _played(self, action: int) -> None:
        """A move is about to be entered."""

    def _enter(self, action: int) -> None:
        """Plays an action: by the keys of its entry, if nothing else is said."""
        self._keys(self.entry(action))

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
        legal: list[int] = []
        for square, pawn in enumerate(self._string("P$", 9)):
            if pawn == ord("O"):
                with self._copy():
                    self._keys(str(square + 1))
                    self.atari.run_until(text=f"FROM {square + 1} TO", limit=120)
                    lit = self._string("SHOWN$", 9)
                legal += [3 * square + n for n in range(3) if square + n >= 4 and lit[square + n - 4] == ord("?")]
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
        legal: list[int] = []
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


class CrazyEights(EmulatedGame):
    """One agent, player, against the program. Action 13 * type + rank puts a card down (types: hearts, diamonds, clubs, spades; rank 0 is the ace, 12 the king), 52 draws, 53
    passes, and 54 to 57 name the type after an eight. The board is 4 types by 13 ranks by: the agent's cards, the card on top (an eight has the type that was
    named), the wanted type, and as many cells as the program and the deck have cards."""

    program = "crazy-eights"
    title = "RETURN, START OR TRIGGER"
    variables = ("COUNT1", "COUNT2", "DECK", "HAND1(1)", "TYPE1(1)", "TOP", "TOP1")
    shape = (4, 13, 5)
    count = 58
    players = ("player",)
    longest = 200
    _WORDS = ("AC", "TW", "TH", "FO", "FI", "SI", "SE", "EI", "NI", "TE", "JA", "QU", "KI")
    _DRAW, _PASS, _NAME = 52, 53, 54
    _REFUSALS = ("IT DOES NOT MATCH", "YOU CAN STILL DRAW", "THE DECK IS EMPTY", "YOU HOLD 18")

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__(render_mode)
        self._known: dict[tuple[int, int], dict[int, bool]] = {}
        self._said, self._held = "", (0, 0)

    def _begin(self) -> None:
        self.atari.type("\n")
        self._left, self._asked = False, "turn"
        self.atari.run_until(text="SHUFFLING", limit=600)

    def _played(self, action: int) -> None:
        self._left, self._asked = False, self._asks() or "turn"

    def _asks(self) -> str | None:
        """The question on the screen."""
        text = self.atari.text
        if "ANOTHER GAME?" in text:
            return "game"
        if "_" in text.partition("NAME THE TYPE")[2]:
            return "type"
        return "turn" if "YOUR TURN" in text and "> P  PUT DOWN" in text else None

    def _turn(self) -> Turn | None:
        asks = self._asks()
        # The question that was answered stays for some frames.
        if asks != self._asked:
            self._left = True
        if asks == "game":
            text = self.atari.text
            won = ("YOU WIN!" in text) - ("THE COMPUTER WINS" in text)
            return Turn(None, {"player": float(won)})
        return Turn("player", {}) if asks is not None and self._left else None

    def _hand(self) -> list[int]:
        """The actions that put down the agent's cards."""
        numbers = range(self._number("COUNT1"))
        return [13 * self._number("TYPE1(1)", n) - 14 + self._number("HAND1(1)", n) for n in numbers]

    def _legal(self) -> list[int]:
        if self._asks() == "type":
            return list(range(self._NAME, self._NAME + 4))
        top = self._number("TOP"), self._number("TOP1")
        known = self._known.setdefault(top, {})
        asked = [action for action in [*self._hand(), self._DRAW, self._PASS] if action not in known]
        self._said, self._held = self.atari.text, self._counts()
        taken = self._taken({action: self.entry(action) for action in asked})
        # About a card the program says the same as long as the card on top and the type that is wanted are the same.
        known |= {action: action in taken for action in asked if action < self._DRAW}
        return sorted([*(card for card in self._hand() if known[card]), *(action for action in taken if action >= self._DRAW)])

    def _taken(self, entries: dict[int, str]) -> list[int]:
        """The actions whose entries the program takes. It answers each: a copy makes those that begin with the same key."""
        if "" in entries.values():
            return list(entries) if self._takes() else []
        taken: list[int] = []
        for key in dict.fromkeys(entry[0] for entry in entries.values()):
            with self._copy():
                self._keys(key)
                taken += self._taken({action: entry[1:] for action, entry in entries.items() if entry[0] == key})
        return taken

    def _counts(self) -> tuple[int, int]:
        """The agent's cards and those of the deck, by their numbers."""
        return self._number("COUNT1"), self._number("DECK")

    def _takes(self) -> bool:
        """Runs on until the program has taken an entry, or refused it."""
        for _ in range(0, 600, _LOOKS):
            text = self.atari.text
            # In the menu an earlier message stands until the next input.
            if any(words in text and words not in self._said for words in self._REFUSALS):
                return False
            if "YOU PASS" in text or self._held != self._counts():
                return True
            self.atari.run(_LOOKS)
        if self._asks() == "turn":
            # It has said what stood there before.
            return False
        raise RuntimeError(f"the program does not answer; its screen shows {self.atari.text.strip()[:80]!r}")

    def _board(self, agent: str) -> npt.NDArray[np.int8]:
        board = np.zeros((52, 5), dtype=np.int8)
        board[self._hand(), 0] = 1
        top, wanted = self._number("TOP"), self._number("TOP1")
        board[13 * wanted - 14 + top, 1] = 1
        board[13 * wanted - 13 : 13 * wanted, 2] = 1
        board[: self._number("COUNT2"), 3] = 1
        board[: self._number("DECK"), 4] = 1
        return board.reshape(self.shape)

    def entry(self, action: int) -> str:
        """A choice of the menu; with a card its rank, and its type if another one has the rank."""
        if action >= self._NAME:
            return "HDCS"[action - self._NAME]
        if action >= self._DRAW:
            return "DS"[action - self._DRAW]
        kind, rank = divmod(action, 13)
        several = sum(card % 13 == rank for card in self._hand()) > 1
        return f"P{self._WORDS[rank]}\n" + ("HDCS"[kind] if several else "")


class Gammon(EmulatedGame):
    """Two agents, blue (moves up from peg 1, enters from peg 0, bears off to 25) and green (moves down from 24, enters from 25, bears off to 0). Action 26 * from + to
    takes a tile by one die or by two; the same agent continues until its dice are played. The board has 29 rows of 15 by the agent and the other one: as many
    cells as there are tiles on pegs 0 to 25 and borne off (row 26); in row 27 the pips of the first and the second die that are left, in row 28 (of both)
    the number of dice."""

    program = "gammon"
    title = "RETURN, START OR TRIGGER"
    variables: ClassVar[tuple[str, ...]] = ("P(0)", "OFF(0)", "D(1)", "D1", "D2", "ND", "W", "MOVES", "BX", "F", "BR", "CK", "CR", "NG", "GOAL(1)", "SC")
    shape = (29, 15, 2)
    count = 26 * 26
    players = ("blue", "green")
    longest = 5000
    _CURSOR = 1705
    """Where the glowing cursor is; 0 while the program asks for nothing."""

    def _begin(self) -> None:
        self.atari.press("select")
        self.atari.run_until(text="QUICK", limit=120)
        self.atari.run(10)
        self.atari.type("\n")
        self.atari.run_until(text="TYPE THE NAMES", limit=300)
        self.atari.run(30)
        self.atari.type("BLUE\nGREEN\n")
        self.atari.run_until(text="PRESS THE TRIGGER", limit=900)
        self._trigger(0)
        self._before = (-1, -1)

    def _trigger(self, port: int) -> None:
        stick = self.atari.joystick(port).press()
        self.atari.run(8)
        stick.release()
        self.atari.run(3)

    def _played(self, action: int) -> None:
        self._before = self._number("MOVES"), self._number("ND")

    def _turn(self) -> Turn | None:
        if "ANOTHER GAME?" in self.atari.text:
            won = self._number("W")
            return Turn(None, {self.players[won]: 1.0, self.players[1 - won]: -1.0})
        asks = self.atari.memory[self._CURSOR] > 0 and (self._number("BX") == 1 or self._from_bar())
        if not asks or (self._number("MOVES"), self._number("ND")) == self._before:
            return None
        return Turn(self.players[self._number("W")], {})

    def _from_bar(self) -> bool:
        """The program asks only where a tile on the bar enters."""
        return self._number("BX") == 2 and self._number("F") == self._number("BR")

    def _legal(self) -> list[int]:
        # The program lights the goals of a tile that was picked: a copy picks each.
        if self._from_bar():
            return self._goals(self._number("BR"))
        sign = 1 - 2 * self._number("W")
        legal: list[int] = []
        for peg in range(1, 25):
            if self._number("P(0)", peg) * sign > 0:
                with self._copy():
                    self._pick(peg)
                    for _ in range(600):
                        if self.atari.memory[self._CURSOR] > 0:
                            break
                        self.atari.run()
                    legal += self._goals(peg)
        return sorted(legal)

    def _goals(self, peg: int) -> list[int]:
        """The actions of the tile that was picked."""
        first = self._number("SC") + 361
        goals: list[int] = []
        for n in range(self._number("NG")):
            lower, place = divmod(self._number("GOAL(1)", n) - first, 40)
            column = (place - 2 * (place > 17)) // 3
            goals.append(12 - column if lower else 13 + column)
        if "OR OFF >" in self.atari.text:
            goals.append(0 if self._number("W") else 25)
        return sorted(26 * peg + goal for goal in goals)

    def _pick(self, peg: int) -> None:
        """Puts the cursor where the stick would take it, and presses the trigger."""
        off = peg in (0, 25)
        self._store("CK", 12 if off else 12 - peg if peg < 13 else peg - 13)
        self._store("CR", int(peg < 13 and not off))
        self._trigger(self._number("W"))

    def _store(self, name: str, number: int) -> None:
        """Gives a variable a number from 0 to 99."""
        at = self._at[name]
        self.atari.memory[at : at + 6] = bytes([0x40 if number else 0, number // 10 << 4 | number % 10, 0, 0, 0, 0])

    def _enter(self, action: int) -> None:
        source, target = divmod(action, 26)
        if not self._from_bar():
            self._pick(source)
            self.atari.run_until(f"[{self._CURSOR}] > 0", limit=600)
        self._pick(target)

    def _dice(self) -> list[int]:
        """The dice that are left."""
        count = self._number("ND")
        if self._number("D1") == self._number("D2"):
            return [self._number("D1")] * count
        return [self._number("D(1)"), self._number("D(1)", 1)][:count]

    def _board(self, agent: str) -> npt.NDArray[np.int8]:
        board = np.zeros(self.shape, dtype=np.int8)
        own = self.players.index(agent)
        for peg in range(26):
            tiles = self._number("P(0)", peg)
            board[peg, : abs(tiles), own if tiles > 0 else 1 - own] = 1
        for side in (0, 1):
            board[26, : self._number("OFF(0)", side), side ^ own] = 1
        dice = self._dice()
        for n, die in enumerate(dice[:2]):
            board[27, :die, n] = 1
        board[28, : len(dice)] = 1
        return board

    def entry(self, action: int) -> str:
        """From where to where: 13-8."""
        return "{}-{}".format(*divmod(action, 26))


class GoFish(EmulatedGame):
    """One agent, player, against the program. Action n asks for the rank n: 0 is the ace, 12 the king. The board is 13 ranks by 4 by: the agent's cards (as many cells as it holds of the
    rank), its books, the program's books (all four cells of a rank), and as many cells as the program and the deck have cards."""

    program = "go-fish"
    title = "RETURN, START OR TRIGGER"
    variables = ("HIS(1)", "HB", "MB", "BOOK1$", "BOOK2$", "MN", "DN")
    shape = (13, 4, 5)
    count = 13
    players = ("player",)
    patience = 7200

    def _begin(self) -> None:
        self.atari.press("start")
        self._left = False
        self.atari.run_until(text="I DEAL", limit=600)

    def _played(self, action: int) -> None:
        self._left = False

    def _turn(self) -> Turn | None:
        text = self.atari.text
        if "ANOTHER GAME?" in text:
            won = ("YOU WIN" in text) - ("I WIN" in text)
            return Turn(None, {"player": float(won)})
        if "WHAT DO YOU ASK FOR?" not in text:
            self._left = True
            return None
        return Turn("player", {}) if self._left else None

    def _legal(self) -> list[int]:
        return [rank for rank in range(13) if self._number("HIS(1)", rank) > 0]

    def _board(self, agent: str) -> npt.NDArray[np.int8]:
        board = np.zeros((13, 4, 5), dtype=np.int8)
        for rank in range(13):
            board[rank, : self._number("HIS(1)", rank), 0] = 1
        for plane, count, books in ((1, "HB", "BOOK1$"), (2, "MB", "BOOK2$")):
            for rank in self._string(books, self._number(count)):
                board[rank - 1, :, plane] = 1
        cells = board.reshape(52, 5)
        cells[: self._number("MN"), 3] = 1
        cells[: self._number("DN"), 4] = 1
        return board

    def entry(self, action: int) -> str:
        """The key of the rank."""
        return "A23456789TJQK"[action]

    def _enter(self, action: int) -> None:
        """Presses the key once: the program asks for it in its own way."""
        self.atari.press(self.entry(action).lower())
