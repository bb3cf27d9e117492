"""Views: widgets that show a trace and follow the word clock."""
