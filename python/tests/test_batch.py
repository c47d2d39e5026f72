"""Many machines: equal to single ones, on any number of threads; copies; buffers of the caller; mistakes."""

import threading

import numpy as np
import pytest

from anticlock import Atari, Batch
from anticlock.batch import ACTIONS, controls, task

NAME = "tic-tac-toe"


def _play(batch: Batch, steps: int, seed: int) -> list[tuple[np.ndarray, ...]]:
    chance = np.random.default_rng(seed)
    played = []
    for _ in range(steps):
        step = batch.step(chance.integers(len(batch.actions), size=batch.count))
        played.append(tuple(array.copy() for array in step))
    return played


def _equal(one: list[tuple[np.ndarray, ...]], other: list[tuple[np.ndarray, ...]]) -> bool:
    pairs = zip(one, other, strict=True)
    return all((a == b).all() for x, y in pairs for a, b in zip(x, y, strict=True))


@pytest.mark.parametrize(
    ("view", "shape"),
    [
        ("rgb", (192, 320, 3)),
        ("grayscale", (192, 320)),
        ("grayscale84", (84, 84)),
        ("indexed", (192, 320)),
        ("text", (24, 40)),
        ("ram", (65536,)),
    ],
)
def test_observations_have_the_shape_of_their_view(view, shape) -> None:
    with Batch(NAME, 2, view=view, stack_num=2) as batch:
        first = batch.reset([1, 2])
        assert first.shape == (2, 2, *shape) and batch.shape == (2, *shape)
        seen, rewards, ended, cut = batch.step([0, 1])
        assert seen.shape == first.shape and rewards.shape == ended.shape == cut.shape == (2,)
        # The older one of two observations is the first one; ROW is asked for.
        assert (seen[:, 0] == first[:, 1]).all()
        assert b": ROW" in batch.text(0).encode()


def test_threads_change_nothing_and_seeds_do() -> None:
    played = []
    for threads in (1, 3):
        batch = Batch(NAME, 4, noop_max=20, repeat_action_probability=0.25, num_threads=threads)
        batch.reset([1, 2, 3, 1])
        played.append(_play(batch, 60, 5))
        states = [batch.state(index) for index in range(4)]
        played.append(states)
    assert _equal(played[0], played[2]) and played[1] == played[3]
    assert played[1][0] != played[1][1]


def test_a_machine_of_a_batch_is_an_atari() -> None:
    atari = Atari(NAME, history=False)
    atari.run_until(text="ESC  MENU")
    atari.run(30)
    atari.type("{start}")
    atari.run_until(text=": ROW ")
    batch = Batch(atari, 1, task="", view="indexed", frameskip=1)
    batch.reset([0])
    down = ACTIONS.index("down")
    for step in range(40):
        number = down if step % 10 < 4 else 0
        seen, *_ = batch.step([number])
        stick = atari.joystick(0)
        stick.down() if number else stick.centre()
        atari.run()
        assert (seen[0] == atari.screen[24:216, 28:348]).all(), step
    copy = Atari(NAME)
    copy.load(batch.state(0))
    assert copy.text == atari.text == batch.text(0)
    assert batch.peek(0, 0x80, 100) == atari.memory[0x80:0x80 + 100]


def test_copies_go_on_as_the_originals_do() -> None:
    batch = Batch(NAME, 2, repeat_action_probability=0.3, view="ram")
    batch.reset([7, 8])
    saved = batch.save(0)
    first = _play(batch, 30, 1)
    batch.restore(0, saved)
    again = _play(batch, 30, 1)
    assert all((a[0][0] == b[0][0]).all() for a, b in zip(first, again, strict=True))
    batch.fork(0, 1)
    assert batch.state(0) == batch.state(1) and (batch.observation(0) == batch.observation(1)).all()
    with pytest.raises(IndexError, match="machine's number"):
        batch.fork(0, 2)
    with pytest.raises(ValueError, match="observation"):
        Batch(NAME, 1, view="text").restore(0, saved)


def test_results_go_into_the_callers_arrays() -> None:
    batch = Batch(NAME, 3, view="text")
    seen = np.zeros((3, 24, 40), dtype=np.uint8)
    assert batch.reset([1, 2, 3], seen) is seen and seen.any()
    out = (seen, np.zeros(3, np.float32), np.zeros(3, np.bool_), np.zeros(3, np.bool_))
    assert batch.step([0, 0, 0], out) is out
    with pytest.raises(ValueError, match="elements"):
        batch.reset([1, 2, 3], np.zeros((2, 24, 40), dtype=np.uint8))
    with pytest.raises(TypeError):
        batch.reset([1, 2, 3], np.zeros((3, 24, 40), dtype=np.int32))
    with pytest.raises(ValueError, match="one piece"):
        batch.reset([1, 2, 3], np.zeros((3, 24, 80), dtype=np.uint8)[:, :, ::2])


def test_any_program_with_a_task_of_its_own() -> None:
    program = b'10 N=N+1:IF N=300 THEN ? "DONE"\n20 IF PEEK(53279)<>6 THEN 10\n30 M=M+1:GOTO 10\n'
    task = 'start = [{ wait = 200 }]\nreward = [{ basic = "M" }]\nend = [{ text = "DONE" }]\nactions = ["noop", "start"]\n'
    batch = Batch(program, 2, task=task, view="text", frameskip=10, autoreset=False)
    batch.reset([0, 0])
    assert batch.actions == ("noop", "start")
    total, ended = np.zeros(2), np.zeros(2, np.bool_)
    for _ in range(200):
        _, rewards, over, _ = batch.step([0, 1])
        total += rewards
        ended |= over
        if ended.all():
            break
    assert ended.all() and total[0] == 0 and total[1] > 10


def test_an_episode_is_cut_off() -> None:
    batch = Batch(NAME, 1, view="text", max_num_frames_per_episode=10)
    batch.reset([0])
    cuts = [bool(batch.step([0])[3][0]) for _ in range(8)]
    assert cuts == [False, False, True, False, False, False, True, False]


def test_other_threads_run_meanwhile() -> None:
    batch = Batch(NAME, 8, frameskip=30)
    batch.reset(range(8))
    thread = threading.Thread(target=lambda: [batch.step([0] * 8) for _ in range(20)])
    thread.start()
    ticks = 0
    while thread.is_alive():
        ticks += 1
        thread.join(0.001)
    assert ticks > 5


def test_controls_are_numbers_by_their_names() -> None:
    assert controls(ACTIONS)[:, 0].tolist() == list(range(18))
    assert controls(["key:a", "start", "option"]).tolist() == [[0, 0, 64, 0], [0, 0, 0, 1], [0, 0, 0, 4]]
    assert "tic-tac-toe" in task(NAME)


POINTING = ("light-pen", "light-gun", "st-mouse", "amiga-mouse", "trak-ball")


@pytest.mark.parametrize("kind", POINTING)
def test_a_pointing_device_of_a_batch_is_that_of_an_atari(kind: str) -> None:
    def ready() -> Atari:
        # With sound: a batch, too, takes what POKEY has sounded in each frame, and a state says up to where that was.
        atari = Atari(history=False, sound=44100)
        atari.pointer(kind)
        atari.run_until(text="READY")
        return atari

    ataris = [ready(), ready()]
    chance = np.random.default_rng(4)
    with Batch(ataris[0], 2, view="ram", num_threads=2) as batch:
        batch.reset([1, 2])
        assert len(batch.controls) == 7
        least, most = np.array(batch.controls).T
        seen = set()
        for _ in range(30):
            rows = chance.integers(least, most + 1, (2, 7))
            rows[:, :4] = 0
            batch.step(rows)
            for index, (atari, row) in enumerate(zip(ataris, rows.tolist(), strict=True)):
                pointer = atari.pointer(kind)
                x, y, button = row[4:]
                if least[5] < 0:
                    pointer.move(x, y)
                elif x < 0:
                    pointer.away()
                else:
                    pointer.at(x, y)
                pointer.press() if button else pointer.release()
                atari.run(4)
                assert batch.state(index) == atari.state
                seen.add((*atari.memory[564:566], atari.memory[632]))
        assert len(seen) > 5
    # Controls by names leave the device at rest.
    with Batch(None, 1, view="text", pointer=kind) as batch:
        batch.reset([0])
        assert batch.rows(["fire"])[0, 4:].tolist() == ([0, 0, 0] if least[5] < 0 else [-1, 0, 0])
        batch.step([0])


def test_paddles_of_a_batch_are_those_of_an_atari() -> None:
    atari = Atari(history=False, sound=44100)
    atari.run_until(text="READY")
    with Batch(atari, 1, view="ram", pointer="paddles") as batch:
        batch.reset([0])
        for first, second, triggers in ((0, 228, 0), (100, 7, 1), (228, 228, 3), (1, 90, 2)):
            seen, *_ = batch.step([[0, 0, 0, 0, first, second, triggers]])
            atari.paddle(0, first, pressed=bool(triggers & 1))
            atari.paddle(1, second, pressed=bool(triggers & 2))
            atari.run(4)
            assert batch.state(0) == atari.state
            # PADDL0, PADDL1, PTRIG0, PTRIG1.
            assert seen[0, [624, 625]].tolist() == [first, second]
            assert seen[0, [636, 637]].tolist() == [1 - (triggers & 1), 1 - (triggers >> 1)]


def test_mistakes_are_one_sentence() -> None:
    batch = Batch(NAME, 2, view="text")
    batch.reset([0, 1])
    pen = Batch(None, 1, view="text", pointer="light-pen")
    pen.reset([0])
    for act, error, words in (
        (lambda: Batch(NAME, 0), ValueError, "1 to 65536"),
        (lambda: Batch(NAME, -1), ValueError, "negative"),
        (lambda: Batch(NAME, 1, frameskip=0), ValueError, "frameskip"),
        (lambda: Batch(NAME, 1, repeat_action_probability=2), ValueError, "repeat"),
        (lambda: Batch(NAME, 1, view="sepia"), ValueError, "one of rgb"),
        (lambda: Batch(NAME, 1, view="text", maxpool=True), ValueError, "max-pooling"),
        (lambda: Batch(NAME, 1, task="reward = 3"), ValueError, "not understood"),
        (lambda: Batch(NAME, 1, task='start = [{ wait-text = "NEVER" }]', machine={"model": "400"}), ValueError, "."),
        (lambda: Batch("nonsense", 1), ValueError, "built-in programs"),
        (lambda: Batch(NAME, 1, machine={"model": "c64"}), ValueError, "800xl"),
        (lambda: batch.reset([1]), ValueError, "seeds"),
        (lambda: batch.reset([1, -1]), ValueError, "seed"),
        (lambda: batch.step([0]), ValueError, "actions"),
        (lambda: batch.step([0, 6]), ValueError, "0 to 5"),
        (lambda: batch.step([0.5, float("nan")]), ValueError, "whole numbers"),
        (lambda: batch.step([[0, 0, 0, 8], [0, 0, 0, 0]]), ValueError, "console"),
        (lambda: batch.step([[18, 0, 0, 0], [0, 0, 0, 0]]), ValueError, "a stick is 0 to 17"),
        (lambda: batch.step([[0] * 7, [0] * 7]), ValueError, "4 numbers, not 7"),
        (lambda: Batch(NAME, 1, pointer="joystick"), ValueError, "no pointing device"),
        (lambda: pen.step([[0, 0, 0, 0, 376, 0, 0]]), ValueError, "pixel .* is -1 to 375"),
        (lambda: pen.step([[0, 0, 0, 0]]), ValueError, "7 numbers, not 4"),
        (lambda: batch.text(2), IndexError, "0 to 1"),
        (lambda: task("basic"), ValueError, "there are crazy-eights"),
        (lambda: controls(["jump"]), ValueError, "no action"),
    ):
        with pytest.raises(error, match=words) as found:
            act()
        assert "\n" not in str(found.value), found.value
    batch.close()
    with pytest.raises(ValueError, match="closed"):
        batch.step([0, 0])
