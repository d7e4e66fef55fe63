"""SQL executed in PostgreSQL, MariaDB and Spark, where they are installed: it predicts what the tree predicts.

Each server is started in a temporary folder and listens on a socket there. `pip install psycopg pymysql pyspark`;
Spark needs Java.
"""

import os
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.export.test_sql import large
from tests.export.walk import models
from treewright import CARTClassifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.export import sql
from treewright.export.check import compare
from treewright.export.probe_rows import make_probes
from treewright.export.scoring import scoring, scoring_of
from treewright.export.sql_dialects import DIALECTS
from treewright.model.build import build, leaf, number

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]
HOSTILE = [
    'say "hi"', "it's", "a]b", "select", "--", "/* */", "; DROP TABLE data", "א", "%s", "?", ":name", "$1", "x" * 60,
    "back`tick", "\\", "tab\t", "new\nline", "😀",
]  # fmt: skip
CUTS = [0.1, 1e-308, 2.0**53 + 2, -0.0, 0.1 + 0.2, 1 / 3, 1e300, -5e-324, 123456789.123456789, 1e15 + 0.5]
START_SECONDS = 30


def command(folder, user, *words):
    """A server does not run as root: then as its own user, who gets the folder."""
    if os.getuid():
        return list(words)
    shutil.chown(folder, user)
    return ["runuser", "-u", user, "--", *words]


def program(name, *folders):
    found = shutil.which(name, path=os.pathsep.join([os.environ["PATH"], *map(str, folders)]))
    return found or pytest.skip(f"{name} is not installed")


def connected(connect):
    """The connection to a server that has just been started."""
    for _ in range(START_SECONDS * 10):
        try:
            return connect()
        except Exception as error:
            last = error
            time.sleep(0.1)
    raise last


class Server:
    """A database with a table of the probes; `types` are its names of floats, texts and booleans."""

    dialect: str
    types: tuple[str, str, str]

    def __init__(self, folder, stack):
        self.folder, self.stack = folder, stack
        self.start()

    def start_process(self, words):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack.callback(process.wait)
        self.stack.callback(process.terminate)

    def run(self, text, probes):
        columns = sql._used_columns(probes)
        by_name = {column.name: column for column in probes.scoring.tree.schema.columns}
        names = dict(zip(("DOUBLE", "VARCHAR", "BOOLEAN"), self.types, strict=True))
        kinds = [sql._duckdb_type(by_name[name].categories) for name in columns]
        declared = [
            f"{DIALECTS[self.dialect].identifier(name)} {names[kind]}"
            for name, kind in zip(columns, kinds, strict=True)
        ]
        self.execute("DROP TABLE IF EXISTS data")
        self.execute(f"CREATE TABLE data ({', '.join(['treewright_row BIGINT', *declared])})")
        self.insert(list(zip(range(len(probes.values)), *columns.values(), strict=True)))
        return self.execute(text)

    def insert(self, rows):
        self.cursor.executemany(f"INSERT INTO data VALUES ({', '.join(['%s'] * len(rows[0]))})", rows)

    def execute(self, text):
        self.cursor.execute(text)
        return self.cursor.fetchall() if self.cursor.description else []


class Postgres(Server):
    dialect, types = "postgres", ("DOUBLE PRECISION", "TEXT", "BOOLEAN")

    def start(self):
        psycopg = pytest.importorskip("psycopg")
        folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        data = str(self.folder / "data")
        initdb, server = program("initdb", *folders), program("postgres", *folders)
        subprocess.run(command(self.folder, "postgres", initdb, "-D", data, "-A", "trust", "-E", "UTF8"), check=True)
        self.start_process(
            command(self.folder, "postgres", server, "-D", data, "-k", str(self.folder), "-c", "listen_addresses=")
        )
        user = "postgres" if os.getuid() == 0 else None
        connection = connected(lambda: psycopg.connect(host=str(self.folder), dbname="postgres", user=user))
        self.stack.callback(connection.close)
        self.cursor = connection.cursor()

    def insert(self, rows):
        with self.cursor.copy("COPY data FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


class MariaDB(Server):
    dialect, types = "mariadb", ("DOUBLE", "VARCHAR(400)", "BOOLEAN")

    def start(self):
        pymysql = pytest.importorskip("pymysql")
        install, server = program("mariadb-install-db"), program("mariadbd", "/usr/sbin")
        data, socket = f"--datadir={self.folder}/data", str(self.folder / "socket")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        words = command(self.folder, "mysql", install, data, "--auth-root-authentication-method=normal")
        subprocess.run(words, check=True, **quiet)
        self.start_process(command(self.folder, "mysql", server, data, f"--socket={socket}", "--skip-networking"))
        connection = connected(lambda: pymysql.connect(unix_socket=socket, user="root", charset="utf8mb4"))
        self.stack.callback(connection.close)
        self.cursor = connection.cursor()
        self.execute("CREATE DATABASE shop CHARACTER SET utf8mb4")
        self.execute("USE shop")


class Spark(Server):
    dialect, types = "spark", ("DOUBLE", "STRING", "BOOLEAN")

    def start(self):
        pyspark = pytest.importorskip("pyspark.sql")
        program("java")
        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = pyspark.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        self.session = builder.config("spark.sql.warehouse.dir", str(self.folder)).getOrCreate()
        self.stack.callback(self.session.stop)
        self.session.sparkContext.setLogLevel("OFF")  # of the statements that Spark interprets, not compiles

    def run(self, text, probes):
        from pyspark.sql import types

        columns = sql._used_columns(probes)
        by_name = {column.name: column for column in probes.scoring.tree.schema.columns}
        kind_of = {"DOUBLE": types.DoubleType(), "VARCHAR": types.StringType(), "BOOLEAN": types.BooleanType()}
        kinds = [kind_of[sql._duckdb_type(by_name[name].categories)] for name in columns]
        fields = [types.StructField("treewright_row", types.LongType()), *map(types.StructField, columns, kinds)]
        rows = list(zip(range(len(probes.values)), *columns.values(), strict=True))
        self.session.createDataFrame(rows, types.StructType(fields)).createOrReplaceTempView("data")
        return [tuple(row) for row in self.session.sql(text.rstrip(";")).collect()]


@pytest.fixture(scope="module", params=[Postgres, MariaDB, Spark])
def server(request, tmp_path_factory):
    with ExitStack() as stack:
        folder = tmp_path_factory.mktemp(request.param.__name__)
        folder.chmod(0o755)
        for parent in folder.parents:  # the user of the server may enter the folder
            if os.getuid() == 0 and parent.is_relative_to("/tmp") and parent != Path("/tmp"):
                parent.chmod(0o755)
        yield request.param(folder, stack)


def check(server, found, training=None):
    probes = make_probes(found, training)
    text = sql.write(found, dialect=server.dialect)
    compare(probes, sql.read_predictions(server.run(text, probes), probes), server.dialect)


def test_a_server_predicts_as_the_tree_does(server):
    for model in models().values():
        check(server, scoring_of(model), model._kept.values)


def test_large_trees(server):
    for i, missing in enumerate(("fractional", "surrogate", "stop")):
        model = large(missing, 3 * sql.CHAINED, ("stop", "missing", "majority")[i], seed=i)
        check(server, scoring_of(model), model._kept.values[:500])


def test_hostile_names_and_values_stay_names_and_values(server):
    rng = np.random.default_rng(1)
    for i, name in enumerate(HOSTILE):
        other = HOSTILE[i - 1][:50]
        values = [other, name, "plain", "plain ", "Plain", "new\nline", "\\"]
        frame = pd.DataFrame({name: rng.choice(values, 90), other + "2": rng.random(90)})
        y = np.where(frame[name].isin([other, "Plain", "\\"]) ^ (frame[other + "2"] > 0.5), name, other)
        check(server, scoring_of(CARTClassifier(pruning=None, min_samples_leaf=3).fit(frame, y)))


def test_numbers_survive(server):
    schema = Schema((Column("x", Kind.NUMBER),), Target("y"))
    for cut in CUTS:
        check(server, scoring(build(schema, number("x", cut, leaf(1 / 3), leaf(-1e-7))), "majority"))
