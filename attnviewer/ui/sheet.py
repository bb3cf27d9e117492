"""The style sheet, with the names of `theme.Tokens` to be filled in."""

SHEET = """
* { outline: none; }
QWidget { color: $text; }
QMainWindow, #body { background: $background; }
#rail { background: $surface; border: none; border-right: 1px solid $line; }
#toolbar { background: $surface; border: none; border-bottom: 1px solid $line; }
#statusline { background: $surface; border: none; border-top: 1px solid $line; }
#side { background: $surface; border: none; border-left: 1px solid $line; }
#side QScrollArea, #side QScrollArea > QWidget > QWidget,
#foot QScrollArea, #foot QScrollArea > QWidget > QWidget { background: $surface; border: none; }
#setstrip { background: $surface; border: none; border-bottom: 1px solid $line; }
#foot { background: $surface; border: none; border-top: 1px solid $line; }
#overlay { background: $background; border: none; border-bottom: 1px solid $line; }
#stage, #stages, #stages > QWidget > QWidget { background: $stage; border: none; }
QLabel { background: transparent; }
QLabel[role="title"] { color: $muted; font-weight: 600; }
QLabel[role="story"] { color: $text; background: $stage; font-size: 16px; padding: 8px 16px; }
QLabel[role="large"] { color: $text; background: $stage; font-size: 28px; padding: 12px 24px; }
QLabel[role="hall"] { color: $text; font-size: 28px; padding: 6px 0; }
QLabel[role="term"] { color: $text; border: none; border-bottom: 1px dotted $muted; padding: 0; margin: 0; }
QLabel[role="formula"] { color: $muted; font-family: "DejaVu Sans Mono", "Menlo", "Consolas", monospace; }
#card { background: $background; border: 1px solid $line; border-radius: 8px; }
#card[lit="true"] { border-color: $accent; background: $accent_soft; }
QLabel[role="tag"] { color: $text; background: $surface; border: 1px solid $line; border-radius: 6px;
    padding: 2px 8px; }
QLabel[role="muted"] { color: $muted; }
QLabel[role="value"] { color: $text; font-weight: 600; }
QLabel[role="says"] { color: $text; font-size: 15px; }
QLabel[role="says"][grown="true"], QLabel[role="error"][grown="true"], QLabel[role="question"][grown="true"] {
    font-size: 24px; }
QLabel[role="question"] { color: $text; font-size: 15px; }
#experiment { background: $background; border: none; }
QTableWidget { background: $surface; border: 1px solid $line; gridline-color: $line; }
QTableWidget::item:selected { background: $accent_soft; color: $text; }
QHeaderView::section { background: $raised; color: $muted; border: none; padding: 3px 6px; }
QLabel[role="badge"] { color: $caution; background: $raised; border-left: 3px solid $caution;
    border-radius: 4px; padding: 6px 8px; }
QLabel[role="error"] { color: $danger; font-weight: 600; }
QLabel[role="empty"] { color: $muted; font-size: 17px; }
QLabel[role="subtitle"] { color: $text; font-size: 40px; padding: 12px 24px 28px 24px; background: $stage; }
QPushButton, QToolButton { background: $raised; border: 1px solid $raised; border-radius: 8px;
    padding: 6px 12px; min-height: 20px; }
QPushButton:hover, QToolButton:hover { border-color: $muted; }
QPushButton:focus, QToolButton:focus, QComboBox:focus, QCheckBox:focus { border: 1px solid $accent; }
QCheckBox { spacing: 6px; border: 1px solid transparent; border-radius: 4px; padding: 2px; }
QCheckBox::indicator { width: 14px; height: 14px; background: $surface; border: 1px solid $muted; border-radius: 4px; }
QCheckBox::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$tick"); }
QCheckBox:disabled { color: $muted; }
QCheckBox::indicator:disabled { border-color: $line; }
QPushButton:pressed, QToolButton:pressed { background: $line; }
QPushButton:disabled, QToolButton:disabled { color: $muted; }
QPushButton[look="accent"] { background: $accent; color: $on_accent; border-color: $accent; font-weight: 600; }
QPushButton[look="accent"]:disabled { background: $raised; color: $muted; border-color: $raised; font-weight: 400; }
QPushButton[look="bare"], QToolButton[look="bare"] { background: transparent; border-color: transparent; padding: 6px; }
QPushButton[look="bare"]:hover, QToolButton[look="bare"]:hover { background: $raised; }
QPushButton[look="bare"]:focus { border-color: $accent; }
QPushButton[look="bare"]:checked { background: $accent_soft; border-color: $accent; }
QPushButton[look="play"] { background: $accent; border-color: $accent; border-radius: 18px; padding: 0; min-width: 34px;
    max-width: 34px; min-height: 34px; max-height: 34px; }
QPushButton[look="play"]:focus { border: 2px solid $text; }
QPushButton[look="play"]:disabled { background: $line; border-color: $line; }
QPushButton::menu-indicator { width: 0; }
QPushButton[look="segment"] { background: transparent; border: 1px solid transparent; padding: 5px 12px;
    color: $muted; }
QPushButton[look="segment"]:hover { color: $text; border-color: $line; }
QPushButton[look="segment"]:focus { border-color: $accent; }
QPushButton[look="segment"]:checked { background: $surface; color: $text; border-color: $accent; }
#segments { background: $raised; border-radius: 10px; }
QToolButton[look="rail"] { background: transparent; border: 1px solid transparent; border-left: 3px solid transparent;
    border-radius: 10px; padding: 8px 0 6px 0; color: $muted; font-size: 11px; }
QToolButton[look="rail"]:hover { background: $raised; color: $text; }
QToolButton[look="rail"]:focus { border: 1px solid $accent; }
QToolButton[look="rail"]:checked { background: $accent_soft; color: $text; border-left: 3px solid $accent;
    font-weight: 600; }
QToolButton::menu-indicator { image: none; }
QPushButton[look="chip"] { background: $raised; border: 1px solid $line; border-radius: 14px; padding: 3px 12px; }
QPushButton[look="chip"]:hover { border-color: $muted; }
QPushButton[look="chip"]:focus { border: 1px solid $accent; }
QPushButton[look="chip"][forced="true"] { border-style: dashed; border-color: $muted; }
QPushButton[look="ghost"] { background: transparent; border: 1px dotted $muted; border-radius: 10px; padding: 1px 7px;
    min-height: 16px; color: $muted; }
QPushButton[look="ghost"]:hover, QPushButton[look="ghost"]:focus { border: 1px solid $accent; color: $text; }
QPushButton[look="chip"]:checked { background: $accent; color: $on_accent; border-color: $accent; font-weight: 700; }
QLineEdit, QPlainTextEdit { placeholder-text-color: $muted; }
QLineEdit { background: $background; border: 1px solid $line; border-radius: 8px; padding: 6px 10px; min-height: 20px;
    selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit QToolButton { background: transparent; border: none; padding: 0; min-height: 0; }
QLineEdit:focus { border: 1px solid $accent; }
#textbox { background: $surface; border: 1px solid $line; border-radius: 8px; padding: 6px 8px;
    selection-background-color: $accent; selection-color: $on_accent; }
#textbox[grown="true"] { font-size: 24px; }
#textbox:focus { border: 1px solid $accent; }
QComboBox { background: $raised; border: 1px solid $line; border-radius: 8px; padding: 5px 10px; min-height: 20px; }
QComboBox:hover { border-color: $muted; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: none; width: 0; height: 0; margin-right: 8px; border-left: 4px solid $raised;
    border-right: 4px solid $raised; border-top: 6px solid $muted; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $line; padding: 4px; }
QMenu { background: $surface; border: 1px solid $line; border-radius: 8px; padding: 6px; }
QMenu::item { padding: 7px 26px 7px 26px; border-radius: 6px; }
QMenu::item:selected { background: $accent; color: $on_accent; }
QMenu::separator { height: 1px; background: $line; margin: 6px 8px; }
QToolTip { background: $surface; color: $text; border: 1px solid $line; padding: 5px 8px; }
QSlider { min-height: 22px; }
QSlider::groove:horizontal { height: 4px; background: $line; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0; border-radius: 8px; background: $surface;
    border: 2px solid $accent; }
QSlider::handle:horizontal:focus { background: $accent; }
QScrollBar:horizontal { height: 8px; background: transparent; margin: 0; }
QScrollBar:vertical { width: 8px; background: transparent; margin: 0; }
QScrollBar::handle { background: $line; border-radius: 4px; min-width: 32px; min-height: 32px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { background: $raised; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QListWidget { background: $surface; border: none; }
QListWidget::item { border: 2px solid transparent; border-radius: 8px; padding: 2px; }
QListWidget::item:selected { border-color: $accent; background: $accent_soft; color: $text; }
#gallery { background: $surface; border: 1px solid $line; border-radius: 12px; }
QPushButton[look="sample"] { background: transparent; border: 1px solid transparent; border-radius: 8px;
    padding: 4px 12px 4px 6px; text-align: left; min-height: 74px; }
QPushButton[look="sample"]:hover { background: $raised; border-color: $line; }
QPushButton[look="sample"]:focus { border: 1px solid $accent; }
#lessonbar { background: $surface; border: none; border-bottom: 2px solid $accent; }
#offer { background: $accent_soft; border: none; border-bottom: 1px solid $line; }
QLabel[role="lesson"] { color: $text; font-size: 14px; }
QLabel[role="asks"] { color: $text; font-size: 14px; font-weight: 600; }
QLabel[role="headline"] { color: $text; font-size: 24px; font-weight: 600; }
QLabel[role="lesson"][grown="true"], QLabel[role="asks"][grown="true"] { font-size: 26px; }
QLabel[role="value"][grown="true"] { font-size: 22px; }
QPushButton[look="answer"] { text-align: left; padding: 3px 10px; border: 1px solid $line; background: $background; }
QPushButton[look="answer"][grown="true"] { font-size: 22px; padding: 6px 14px; }
QPushButton[look="answer"]:hover, QPushButton[look="answer"]:focus { border-color: $accent; }
QPushButton[look="stop"] { text-align: left; padding: 9px 14px; background: $surface; border: 1px solid $line; }
QPushButton[look="stop"]:hover, QPushButton[look="stop"]:focus { border-color: $accent; }
QPushButton[look="stop"][done="true"] { color: $muted; }
#sheet { background: $surface; border: 1px solid $line; border-radius: 14px; }
#sheet QLabel[role="key"] { background: $raised; border: 1px solid $line; border-radius: 5px; padding: 2px 8px;
    font-weight: 600; }
"""
