"""Domains of operators beside a framework's default one."""
