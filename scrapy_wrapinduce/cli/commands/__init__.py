"""One module per command: its docstring is the help, ``add_arguments`` and ``run`` do the rest.

They are imported on every call: import what is heavy inside ``run``.
"""
