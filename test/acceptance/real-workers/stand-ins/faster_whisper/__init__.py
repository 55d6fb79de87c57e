"""
Replaces the module of the same name. Its model finds one segment in each second of audio, and takes a fiftieth of the
audio's duration.
"""
import time
import wave
from types import SimpleNamespace

SPEED = 50


class WhisperModel:
    def __init__(self, name, device="cpu", compute_type="int8"):
        self.name = name

    def transcribe(self, path, task="transcribe", language=None, **_):
        with wave.open(path) as audio:
            seconds = audio.getnframes() / audio.getframerate()
        time.sleep(seconds / SPEED)
        said = "heard" if task == "transcribe" else "translated"
        segments = [
            SimpleNamespace(
                id=n,
                seek=0,
                start=float(n),
                end=float(n + 1),
                text=f" {said} {n}",
                tokens=[n],
                temperature=0.0,
                avg_logprob=-0.1,
                compression_ratio=1.0,
                no_speech_prob=0.0,
                words=[],
            )
            for n in range(int(seconds))
        ]
        return segments, SimpleNamespace(language=language or "en")
