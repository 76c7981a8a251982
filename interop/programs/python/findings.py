"""How a program tells what it found: one line of JSON each."""

import json


def say(**found):
    print(json.dumps(found, default=str), flush=True)


def check(name, is_so, why=""):
    say(check=name, ok=bool(is_so), why="" if is_so else str(why))


def seen(name, value):
    say(seen=name, value=value)
