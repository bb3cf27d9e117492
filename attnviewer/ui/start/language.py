"""What a language needs beside its sentences: Qt's own words, and a font that has its letters."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator
from PySide6.QtGui import QFontDatabase

from attnviewer.core.i18n import language

SCRIPTS = {"zh": (QFontDatabase.WritingSystem.SimplifiedChinese, "fonts-noto-cjk")}
QT_NAMES = {"zh": "zh_CN"}
NO_FONT = "No Chinese font is installed, so Chinese text can't be shown. Install one, such as the package {package}."
_of_qt = QTranslator()


def translate_qt(application: QCoreApplication) -> bool:
    """Have Qt's own buttons and dialogs speak the language in use; whether Qt has a catalogue of it."""
    application.removeTranslator(_of_qt)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    known = language() in QT_NAMES and _of_qt.load(f"qtbase_{QT_NAMES[language()]}", folder)
    return known and application.installTranslator(_of_qt)


def missing_font() -> str:
    """A line, in English, where no font here has the letters of the language in use; "" where all is well."""
    system, package = SCRIPTS.get(language(), (None, ""))
    if system is None or QFontDatabase.families(system):
        return ""
    return NO_FONT.format(package=package)
