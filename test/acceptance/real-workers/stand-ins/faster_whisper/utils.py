"""Formats times as in subtitles."""


def format_timestamp(seconds, always_include_hours=False, decimal_marker="."):
    whole = round(seconds * 1000)
    hours, rest = divmod(whole, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    return f"{hours:02d}:{minutes:02d}:{rest // 1000:02d}{decimal_marker}{rest % 1000:03d}"
