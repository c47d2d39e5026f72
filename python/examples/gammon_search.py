"""A player that beats Gammon's computer player by playing its turns in copies of the machine first.

    python gammon_search.py --games 10
    python gammon_search.py --games 10 --blind

For each of the most promising ways to play its dice, and the one that the program's own hint names, copies of the machine wait some frames, play it, and let the computer answer. The player then does what came out best.
The program rolls by the time at which it rolls, so the player has luck in its hands: it knows which roll the computer will get if it moves now, or three frames later.

Blind, it does not: a copy only tells what may come. There the computer plays both sides on in copies that wait differently, and the mean of some continuations decides.

Which moves are legal, and how the computer answers, is what the machine says; only the value of a board is from here.
"""

import argparse
import copy
import math
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from anticlock.zoo import Gammon

Board = list[int]
"""Tiles on the pegs 0 to 25, positive for blue."""

SHOTS = dict(enumerate((0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)))
"""Of 36 rolls, those that hit at this distance, roughly."""


MARGIN = 12
"""Pips by which a board may be worse than the best one to be tried."""


SURE = 3
"""Pips by which a move has to be better than the one of the program's hint."""


class AgainstComputer(Gammon):
    """Gammon, with the computer as green."""

    variables = (*Gammon.variables, "ATARI")

    def _begin(self) -> None:
        self.atari.press("select")
        self.atari.run_until(text="QUICK", limit=120)
        self.atari.run(10)
        self.atari.type("\n")
        self.atari.run_until(text="TYPE THE NAMES", limit=300)
        self.atari.run(30)
        self.atari.type("BLUE\nATARI\n")
        self.atari.run_until(text="PRESS THE TRIGGER", limit=900)
        self._trigger(0)
        self._before = (-1, -1)

    def board(self) -> Board:
        """The tiles, as the program has them."""
        return [self._number("P(0)", peg) for peg in range(26)]

    def legal(self) -> list[int]:
        """The moves of one die, or of two, that the program takes."""
        return self._legal()

    def dice(self) -> list[int]:
        """The dice that are left."""
        return self._dice()

    def fork(self, wait: int = 0) -> "AgainstComputer":
        """The game in a copy of the machine, some frames later."""
        other = copy.copy(self)
        other.atari = self.atari.clone()
        other.atari.run(wait)
        return other

    def play(self, action: int) -> int | None:
        """Plays a move, and waits for the next turn: None, or at the end 1 if blue has won and -1 if not."""
        self._played(action)
        self._enter(action)
        turn = self._wait()
        return None if turn.agent else int(turn.rewards["blue"])

    def hint(self) -> int | None:
        """The move that the program would play, of one die or two; None if it names none."""
        copied = self.fork()
        copied.atari.type("H")
        copied.atari.run(40)
        found = re.search(r"TRY (BAR|\d+)-(OFF|\d+)", copied.atari.text)
        copied.atari.close()
        if found is None:
            return None
        source, target = (int({"BAR": "0", "OFF": "25"}.get(place, place)) for place in found.groups())
        return 26 * source + target

    def rollout(self, action: int, turns: int) -> float:
        """Plays a move, the last of a turn; then the computer plays both sides for some turns. The worth of the board then, or 200 and -200 for a game that ends."""
        self._played(action)
        self._enter(action)
        self._store("ATARI", 3)
        last = self.turn() + 2 * turns
        for _ in range(self.patience):
            self.atari.run(5)
            if self.turn() >= last:
                return value(self.board(), self._number("W") == 0)
            if "ANOTHER GAME?" in self.atari.text:
                return 200.0 if self._number("W") == 0 else -200.0
        raise RuntimeError(f"the program does not continue: {self.atari.text.strip()[-80:]!r}")

    def turn(self) -> int:
        """A number that changes when the turn does."""
        return self._number("MOVES")


def moved(board: Board, action: int) -> Board:
    """The board after a move of blue."""
    source, target = divmod(action, 26)
    after = board.copy()
    after[source] -= 1
    if target < 25:
        if after[target] < 0:
            after[25] -= 1
            after[target] = 0
        after[target] += 1
    return after


def danger(board: Board, peg: int, side: int) -> float:
    """Chance that the other side's next roll hits the tile of `side` on a peg."""
    missed = 1.0
    for other in range(26):
        distance = (other - peg) * side
        if board[other] * side < 0 and 0 < distance < 13:
            missed *= 1 - SHOTS[distance] / 36
    return 1 - missed


def value(board: Board, to_move: bool) -> float:
    """Worth of a board for blue, in pips; `to_move`: blue rolls next."""
    blue = sum((25 - peg) * tiles for peg, tiles in enumerate(board) if tiles > 0)
    green = sum(-peg * tiles for peg, tiles in enumerate(board) if tiles < 0)
    worth = float(green - blue)
    for peg in range(1, 25):
        # A tile that is hit goes back to its bar. Who rolls next makes use of it; the other one may.
        if board[peg] == 1:
            worth -= danger(board, peg, 1) * (peg + 6) * (0.4 if to_move else 1.0)
        elif board[peg] == -1:
            worth += danger(board, peg, -1) * (31 - peg) * (1.0 if to_move else 0.4)
    closed = sum(tiles > 1 for tiles in board[19:25])
    held = sum(tiles < -1 for tiles in board[1:7])
    worth += 2.0 * closed + 1.5 * (board[18] > 1) + 3.0 * -board[25] * closed
    worth -= 2.0 * held + 1.5 * (board[7] < -1) + 3.0 * board[0] * held
    return worth


@dataclass
class Line:
    """A way to play the dice."""

    game: AgainstComputer
    board: Board
    actions: list[int] = field(default_factory=list)

    def worth(self) -> float:
        """Its board's worth, before the computer answers."""
        return value(self.board, False)


def extended(line: Line, played: bool) -> Iterator[Line]:
    """Lines with one more move; the move before is played in a copy first."""
    game, board = line.game, line.board
    if played:
        game = game.fork()
        turn = game.turn()
        if game.play(line.actions[-1]) is not None or game.turn() != turn:
            return
        board = game.board()
    for action in game.legal():
        yield Line(game, moved(board, action), [*line.actions, action])


def left(line: Line) -> int:
    """Dice that a line leaves, counted in pips."""
    source, target = divmod(line.actions[-1], 26)
    return sum(line.game.dice()) - (target - source)


def lines(game: AgainstComputer, width: int) -> list[Line]:
    """The best ways to play the dice, each with another board."""
    done: dict[tuple[int, ...], Line] = {}
    open_ones = list(extended(Line(game, game.board()), False))
    while open_ones:
        longer: dict[tuple[int, ...], Line] = {}
        for line in open_ones:
            kept = done if left(line) <= 0 else longer
            kept.setdefault(tuple(line.board), line)
        best = sorted(longer.values(), key=Line.worth, reverse=True)[: 2 * width]
        open_ones = []
        for line in best:
            more = list(extended(line, True))
            open_ones += more
            if not more:
                done.setdefault(tuple(line.board), line)
    return sorted(done.values(), key=Line.worth, reverse=True)[:width]


def advised(game: AgainstComputer) -> Line | None:
    """The way to play the dice that the program's hints name."""
    line = Line(game, game.board())
    while True:
        action = line.game.hint()
        if action is None or action not in line.game.legal():
            return None
        line = Line(line.game, moved(line.board, action), [*line.actions, action])
        if left(line) <= 0:
            return line
        after = line.game.fork()
        turn = after.turn()
        if after.play(action) is not None or after.turn() != turn:
            return line
        line = Line(after, after.board(), line.actions)


def promising(game: AgainstComputer, width: int) -> list[Line]:
    """Ways to play the dice that are worth a try; the one of the program's hint is the first, if it names one."""
    best = lines(game, width)
    choice = [line for line in best if line.worth() > best[0].worth() - MARGIN]
    hint = advised(game)
    return choice if hint is None else [hint, *(line for line in choice if line.board != hint.board)]


def search(game: AgainstComputer, width: int = 4, waits: int = 8) -> tuple[list[int], int]:
    """The actions of the best way to play the dice, and the frames to wait before the last of them."""
    best: tuple[float, list[int], int] = (-math.inf, [], 0)
    for line in promising(game, width):
        for wait in range(0, 3 * waits, 3):
            trial = line.game.fork(wait)
            won = trial.play(line.actions[-1])
            worth = 200.0 * won if won is not None else value(trial.board(), True)
            if worth > best[0]:
                best = worth, line.actions, wait
            trial.atari.close()
    return best[1:]


def blind(game: AgainstComputer, width: int = 4, samples: int = 6, turns: int = 3) -> list[int]:
    """The actions of the best way to play the dice, as far as chance lets it be known.

    A mean of a few continuations is rough. So the better half is tried twice as often again, and what the program itself would play is left only for what is clearly better.
    """
    choice = promising(game, width)
    if len(choice) == 1:
        return choice[0].actions
    totals = [0.0] * len(choice)
    tried = list(range(len(choice)))
    ranked: list[tuple[float, int]] = []
    for first, last in ((0, samples), (samples, 3 * samples)):
        for index in tried:
            line = choice[index]
            for sample in range(first, last):
                trial = line.game.fork(1 + 7 * sample)
                totals[index] += trial.rollout(line.actions[-1], turns)
                trial.atari.close()
        means = [totals[index] / last - (SURE if index else 0.0) for index in tried]
        ranked = sorted(zip(means, tried, strict=True), reverse=True)
        tried = sorted(index for _, index in ranked[: max(2, len(ranked) // 2)])
    return choice[ranked[0][1]].actions


Choose = Callable[[AgainstComputer], tuple[list[int], int]]
"""Chooses a turn: its actions, and the frames before the last of them."""


def game(env: AgainstComputer, seed: int, choose: Choose) -> tuple[int, int, int]:
    """Plays a game: 1 if it is won, -1 if not; the turns; the tiles that the loser has left."""
    env.reset(seed=seed)
    turns = 0
    while True:
        turns += 1
        turn = env.turn()
        actions, wait = choose(env)
        for number, action in enumerate(actions, 1):
            env.atari.run(wait if number == len(actions) else 0)
            won = env.play(action)
            if won is not None:
                return won, turns, sum(abs(tiles) for tiles in env.board())
            if env.turn() != turn:
                break


def main() -> None:
    parser = argparse.ArgumentParser(description="Plays Gammon against its computer player by search in copies of the machine.")
    parser.add_argument("--games", type=int, default=1, help="games, with the seeds 1, 2 and so on")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--width", type=int, default=4, help="ways to play the dice that are tried, beside the hint")
    parser.add_argument("--waits", type=int, default=8, help="moments at which each is tried")
    parser.add_argument("--blind", action="store_true", help="do not use the rolls that will come")
    options = parser.parse_args()

    def choose(env: AgainstComputer) -> tuple[list[int], int]:
        return (blind(env, options.width), 0) if options.blind else search(env, options.width, options.waits)

    env = AgainstComputer()
    wins = 0
    for number, seed in enumerate(range(options.first, options.first + options.games), 1):
        start = time.process_time()
        won, turns, tiles = game(env, seed, choose)
        wins += won > 0
        spent = time.process_time() - start
        print(f"seed {seed}: {'won' if won > 0 else 'lost'}, {tiles} tiles left, {turns} turns, {spent:.0f} s; {wins} of {number} won", flush=True)


if __name__ == "__main__":
    main()
