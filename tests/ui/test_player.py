from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from attnviewer.ui.player import Player


@pytest.fixture
def player(qtbot: QtBot) -> Player:
    made = Player()
    made.speed = 100.0
    return made


def test_follows_the_newest_word_while_words_arrive(player: Player) -> None:
    words = []
    player.word_changed.connect(words.append)
    for count in (1, 2, 3):
        player.grow(count)
    assert words == [0, 1, 2]


def test_plays_from_the_first_word_when_all_are_there(player: Player, qtbot: QtBot) -> None:
    player.grow(3)
    player.finish(3)
    assert (player.word, player.playing) == (0, True)
    qtbot.waitUntil(lambda: player.word == 2)


def test_stays_where_the_user_went_while_words_arrive(player: Player) -> None:
    player.grow(3)
    player.go(1)
    player.grow(4)
    player.finish(5)
    assert (player.word, player.playing) == (1, False)


def test_goes_round_when_it_loops(player: Player, qtbot: QtBot) -> None:
    player.finish(2)
    qtbot.waitUntil(lambda: player.word == 1)
    qtbot.waitUntil(lambda: player.word == 0)
    assert player.playing


def test_stops_at_the_last_word_when_it_does_not_loop(player: Player, qtbot: QtBot) -> None:
    player.loop = False
    player.finish(2)
    qtbot.waitUntil(lambda: not player.playing)
    assert player.word == 1


def test_play_at_the_last_word_begins_again(player: Player, qtbot: QtBot) -> None:
    player.loop = False
    player.finish(3)
    qtbot.waitUntil(lambda: not player.playing)
    assert player.word == 2
    player.play()
    assert (player.word, player.playing) == (0, True)


def test_play_in_the_middle_goes_on_from_there(player: Player) -> None:
    player.finish(3)
    player.pause()
    player.go(1)
    player.play()
    assert (player.word, player.playing) == (1, True)


@pytest.mark.parametrize(("asked", "word"), [(-5, 0), (1, 1), (99, 2)])
def test_never_leaves_the_words(player: Player, asked: int, word: int) -> None:
    player.finish(3)
    player.go(asked)
    assert player.word == word


def test_has_no_word_after_it_was_cleared(player: Player) -> None:
    player.finish(3)
    player.clear()
    assert (player.word, player.count, player.playing) == (-1, 0, False)


def test_does_nothing_without_words(player: Player) -> None:
    player.play()
    player.go(2)
    assert (player.word, player.playing) == (-1, False)
