"""Extensions that are added from the guides."""
