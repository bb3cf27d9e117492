"""The language to speak: by `--lang`, by the settings or by the system, on the command line and in the window."""

from __future__ import annotations

import gettext
import os

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviewer.cli import main
from attnviewer.core.i18n import language, tr
from attnviewer.core.speech import speaking
from attnviewer.ui.settings import Settings
from attnviewer.ui.start.language import missing_font, translate_qt


def test_help_speaks_chinese_to_the_last_heading(capsys: pytest.CaptureFixture[str]) -> None:
    main(["caption", "--help", "--lang", "zh"])
    out = capsys.readouterr().out
    assert out.startswith("用法：attnviewer caption")
    assert all(words in out for words in ("选项", "位置参数", "显示此帮助信息并退出"))
    assert "options:" not in out


def test_complaints_speak_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["caption", "--lang", "zh"]) == 2
    assert capsys.readouterr().err == "attnviewer: 缺少以下参数：IMAGE；见 `attnviewer caption --help`。\n"
    assert main(["models", "--lang", "zh", "--bogus"]) == 2
    assert "无法识别的参数：--bogus" in capsys.readouterr().err


def test_an_unknown_language_is_refused_in_the_one_of_the_system(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--lang", "xx"]) == 2
    assert "argument --lang: invalid choice: 'xx' (choose from" in capsys.readouterr().err


def test_a_call_leaves_the_language_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LANGUAGE", raising=False)
    before = (language(), gettext.textdomain())
    with speaking("zh"):
        assert (language(), os.environ["LANGUAGE"], tr("Play")) == ("zh", "zh_CN", "播放")
    assert (language(), gettext.textdomain(), "LANGUAGE" in os.environ) == (*before, False)


def test_english_can_be_chosen_where_the_system_is_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    with speaking():
        assert tr("Play") == "播放"
    with speaking("en"):
        assert tr("Play") == "Play"


def test_the_settings_keep_a_language_that_is_known(qtbot: QtBot, tmp_path) -> None:
    settings = Settings(tmp_path / "settings.ini")
    assert settings["language"] == ""
    settings["language"] = "zh"
    settings.sync()
    assert Settings(tmp_path / "settings.ini")["language"] == "zh"
    (tmp_path / "others.ini").write_text("[General]\nlanguage=xx\n")
    assert Settings(tmp_path / "others.ini")["language"] == ""


def test_the_buttons_of_qt_speak_chinese(qapp: QApplication) -> None:
    with speaking("zh"):
        assert translate_qt(qapp)
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "取消"
    assert not translate_qt(qapp)
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Cancel"


def test_without_a_chinese_font_the_package_is_named(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_font() == ""
    monkeypatch.setattr(QFontDatabase, "families", lambda *_: [])
    with speaking("zh"):
        assert "fonts-noto-cjk" in missing_font()
    assert missing_font() == ""
