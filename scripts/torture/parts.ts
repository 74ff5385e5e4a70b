import type { Engine } from '../../server/db/connect.ts'

/** The options of a part's run. */
export interface How {
  engine: Engine
  /** The environment of a server on a fresh, empty database, a new one for each call. */
  database(): Promise<Record<string, string>>
  /** The value of `--name`, or the part's default. */
  number(name: string, otherwise: number): number
  /** The value of a text option, or its default. */
  word(name: string, otherwise: string): string
  say(line: string): void
}

/** A part's result: measurements to print, and every broken guarantee. */
export interface Outcome {
  figures: Record<string, string | number>
  faults: string[]
}

/** A part of `npm run torture`. */
export interface Part {
  name: string
  about: string
  /** Numeric options, with their defaults. */
  options: Record<string, number>
  /** Text options, with their defaults. */
  words?: Record<string, string>
  /** The only engine it concerns; both if missing. */
  only?: Engine
  run(how: How): Promise<Outcome>
}

/** TABLE  the parts of `npm run torture`; each file loads when its part runs. */
export const PARTS: Part[] = [
  {
    name: 'input',
    about: 'requests generated from the contract, valid and broken: none gets a 5xx, and each error names the field',
    options: { requests: 100_000, seed: 0 },
    run: async (how) => (await import('../../tests/torture/input/part.ts')).tortureInput(how),
  },
  {
    name: 'freeze',
    about: 'many callers at once send every parser its limit, and more: /livez keeps responding, and memory is freed',
    options: { lines: 256 },
    run: async (how) => (await import('../../tests/torture/input/freezing.ts')).tortureFreeze(how),
  },
  {
    name: 'files',
    about:
      'files that are small to send and large, deep or slow to read, in a container of `--memory` MB, then kill -9 while one is read: the server stays, each file says what became of it, and nothing is begun a third time',
    options: { memory: 1024 },
    run: async (how) => (await import('../../tests/torture/files/reading.ts')).tortureFiles(how),
  },
  {
    name: 'slow',
    about: 'connections that ask for a file and don’t read it, from a folder and from S3: together they take less than 100 MB',
    options: { connections: 200 },
    run: async (how) => (await import('../../tests/torture/files/slow.ts')).tortureSlow(how),
  },
  {
    name: 'crash',
    about:
      'kill -9 (of the server; of the database, its pause, a full disk) in the middle of writes, intake, payouts and mail: nothing acknowledged is lost, and nothing is counted or paid twice',
    options: { rounds: 100, seed: 0 },
    words: { kill: 'server' },
    run: async (how) => (await import('../../tests/torture/crash/part.ts')).tortureCrash(how),
  },
  {
    name: 'quotas',
    about:
      'kill -9 of servers (two on PostgreSQL) while senders fill a plan: no cell exceeds its ceiling, nobody admitted is turned away, and nobody counts twice',
    options: { arrivals: 20_000, kills: 20, senders: 64, seed: 0 },
    run: async (how) => (await import('../../tests/torture/quotas/part.ts')).tortureQuotas(how),
  },
  {
    name: 'sessions',
    about:
      'the same by an entry link: one session for each person, and each outcome counts once, however often a killed server is asked',
    options: { arrivals: 20_000, kills: 20, senders: 64, seed: 0 },
    run: async (how) => (await import('../../tests/torture/quotas/part.ts')).tortureSessions(how),
  },
  {
    name: 'containers',
    about: 'servers with process id 1 on one data folder, killed in turn: the second refuses, and the next starts at once',
    options: { rounds: 20 },
    only: 'sqlite',
    run: async (how) => (await import('../../tests/torture/guards/containers.ts')).tortureContainers(how),
  },
  {
    name: 'clock',
    about: 'a server whose clock is hours to weeks ahead is killed and started with the right one: nobody is locked out',
    options: {},
    run: async (how) => (await import('../../tests/torture/guards/clock.ts')).tortureClock(how),
  },
  {
    name: 'many',
    about:
      'three servers on one PostgreSQL and one S3 behind a proxy: they act as one, lose nothing when one is killed, and are replaced without a failed request',
    options: { rounds: 20 },
    only: 'postgres',
    run: async (how) => (await import('../../tests/torture/many/part.ts')).tortureMany(how),
  },
  {
    name: 'rotate',
    about:
      'two servers behind a proxy get a new database role, SMTP password, key of the file store and signing key by the steps of the handbook: no request fails, no old link ends, and the old passwords open nothing',
    options: { seed: 0 },
    only: 'postgres',
    run: async (how) => (await import('../../tests/torture/many/rotating.ts')).tortureRotate(how),
  },
  {
    name: 'writers',
    about: 'generated writes of many callers at once over the same few records: no two wait for each other',
    options: { requests: 50_000, callers: 12, seed: 0 },
    only: 'postgres',
    run: async (how) => (await import('../../tests/torture/writers/part.ts')).tortureWriters(how),
  },
  {
    name: 'pooled',
    about: 'servers through PgBouncer in transaction mode act as one; connections of 1, 3 and 10 processes, with and without it',
    options: { seconds: 10 },
    only: 'postgres',
    run: async (how) => (await import('../../tests/torture/pooled/part.ts')).torturePooled(how),
  },
  {
    name: 'migrations',
    about:
      'every migration since the baseline, and one of each kind, on a filled database, under callers of release 0.2: how long they wait for locks; none fails or hangs',
    options: { projects: 2000, people: 500_000 },
    only: 'postgres',
    run: async (how) => (await import('../../tests/torture/migrations/part.ts')).tortureMigrations(how),
  },
  {
    name: 'cluster',
    about:
      'three servers on three nodes of PostgreSQL under Patroni, with etcd, haproxy and PgBouncer: nothing acknowledged is lost, nothing is paid twice, callers see 503 and streams miss nothing, whatever happens to a node',
    options: { seed: 0, synchronous: 1 },
    words: { only: 'all' },
    only: 'postgres',
    run: async (how) => (await import('../../tests/torture/cluster/part.ts')).tortureCluster(how),
  },
  {
    name: 'load',
    about:
      'callers on kept connections with the requests of a morning, a quarter of them with a live stream: no errors; times and memory printed',
    options: { minutes: 10, callers: 200, collect: 5 },
    run: async (how) => (await import('../../tests/torture/load/part.ts')).tortureLoad(how),
  },
  {
    name: 'typist',
    about:
      'random sequences of keys at 0, 20 and 83 ms a key, cold and warm, on a slow server: each ends where a slow typist ends, or a notice says what was dropped; never half',
    options: { sequences: 100, seed: 0 },
    only: 'sqlite',
    run: async (how) => (await import('../../tests/torture/typist/part.ts')).tortureTypist(how),
  },
  {
    name: 'search',
    about: 'worlds of names from a seed, with all of the oracle’s queries: the index finds what a check of every name finds',
    options: { worlds: 20, seed: 0 },
    only: 'sqlite',
    run: async (how) => (await import('../../tests/torture/search/part.ts')).tortureSearch(how),
  },
  {
    name: 'focus',
    about:
      'every command where it belongs, cancelled, completed, and refused by the server: after each step the focus is where a user would continue',
    options: { seed: 0, commands: 0, minutes: 0 },
    words: { end: 'all', part: '1/1', ids: 'all' },
    only: 'sqlite',
    run: async (how) => (await import('../../tests/torture/focus/part.ts')).tortureFocus(how),
  },
  {
    name: 'webhooks',
    about:
      'kill -9 while changes are told to a good receiver and to eight bad ones: each change arrives, signed, no redirect is followed, no address inside is reached, no secret leaves, and what is forged or sent again later is refused',
    options: { rounds: 20, seed: 0 },
    run: async (how) => (await import('../../tests/torture/webhooks/part.ts')).tortureWebhooks(how),
  },
  {
    name: 'tokens',
    about:
      'tokens of every kind and assistants against what they can’t reach, on two processes: scopes and limits hold, a confirmation works once, and a revoked token ends at once',
    options: { requests: 20_000, rounds: 50, seed: 0 },
    run: async (how) => (await import('../../tests/torture/tokens/part.ts')).tortureTokens(how),
  },
  {
    name: 'faults',
    about: 'faults planted one at a time in copies of the commit: which part and test of `npm test` catches each',
    options: { draw: 0, seed: 0, lanes: 2, minutes: 20, trust: 0, likely: 0, whole: 0 },
    words: { only: 'all', part: 'all', since: 'none', again: 'none' },
    only: 'sqlite',
    run: async (how) => (await import('../../tests/torture/faults/part.ts')).tortureFaults(how),
  },
]
