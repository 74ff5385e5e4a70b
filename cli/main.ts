import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Output } from '../contract/calls.ts'
import { ApiError, UsageError } from '../verbs/errors.ts'
import { meant } from '../verbs/meant.ts'
import { requestOf } from '../verbs/request.ts'
import { plain } from '../verbs/values.ts'
import { idsOf, nounWords, type Verb, verbFor, verbNamed } from '../verbs/verbs.ts'
import { completion } from './completion.ts'
import { EXIT, ExitError, exitOf, linesOf } from './errors.ts'
import { helpOfAll, helpOfNoun, helpOfVerb, OWN_WORDS } from './help.ts'
import manifest from './package.json' with { type: 'json' }
import { Remote } from './remote.ts'
import { interrupted, run, type Terminal } from './run.ts'
import { type Connection, checkedToken, checkedUrl, connectionOf, forget, store } from './settings.ts'
import { answerText, safeJson } from './show.ts'

// Compiling unchanged files is half of a start.
enableCompileCache(join(import.meta.dirname, '../.cache/compile'))

const stopping = new AbortController()
/** Columns to assume if the terminal doesn't report them. */
const USUAL_WIDTH = 100
let lineShown = ''

const terminal: Terminal = {
  env: process.env,
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => {
    terminal.line('')
    process.stderr.write(`${text}\n`)
  },
  asks: Boolean(process.stdin.isTTY && process.stderr.isTTY),
  width: process.stdout.isTTY ? (process.stdout.columns ?? USUAL_WIDTH) : undefined,
  line(text) {
    if (text === lineShown) return
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
    else if (text) process.stderr.write(`${text}\n`)
    lineShown = text
  },
  async ask(question, hidden = false) {
    // A secret is not echoed.
    const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr
    if (hidden) process.stderr.write(question)
    const reader = createInterface({ input: process.stdin, output, terminal: Boolean(process.stdin.isTTY) })
    try {
      return await reader.question(hidden ? '' : question, { signal: stopping.signal })
    } finally {
      reader.close()
      if (hidden) process.stderr.write('\n')
    }
  },
  signal: stopping.signal,
}

/** All of standard input. */
async function pipedIn(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

const flagsOf = (argv: readonly string[], known: readonly string[]): { flags: Set<string>; bare: string[] } => {
  const flags = argv.filter((word) => word.startsWith('-'))
  const wrong = flags.find((flag) => !known.includes(flag))
  if (wrong?.startsWith('--token'))
    throw new UsageError('Others could see a token on the command line. Enter it when asked, or pipe it in.')
  if (wrong) throw new UsageError(`There is no option ${wrong}.`)
  return { flags: new Set(flags), bare: argv.filter((word) => !word.startsWith('-')) }
}

const current = async (connection: Connection) =>
  new Remote(connection).json(requestOf(verbFor('token.current'), { input: {}, files: [] }), {
    reads: true,
    signal: stopping.signal,
  })

async function login(argv: readonly string[]): Promise<number> {
  const { flags, bare } = flagsOf(argv, ['--insecure-http'])
  const address = bare[0] ?? process.env.FIELDWORK_URL ?? (terminal.asks ? await terminal.ask('Server (https://…): ') : '')
  const url = checkedUrl(address.trim(), flags.has('--insecure-http'))
  const entered = process.env.FIELDWORK_TOKEN ?? (terminal.asks ? await terminal.ask('Token: ', true) : await pipedIn())
  const token = checkedToken(entered)
  const { value } = await current({ url, token })
  const { name, user } = (value as Output<'token.current'>).data
  const file = store(process.env, { url, token })
  terminal.err(`Signed in at ${url} with the token “${plain(name)}” of ${plain(user.email)}. Stored in ${file}.`)
  return EXIT.done
}

async function status(argv: readonly string[]): Promise<number> {
  const { flags } = flagsOf(argv, ['--json', '--insecure-http'])
  const connection = connectionOf(process.env, flags.has('--insecure-http'))
  if (connection.token === null)
    throw new ExitError(`You aren’t signed in at ${connection.url}. Set FIELDWORK_TOKEN, or use “fieldwork login”.`, EXIT.signIn)
  const { value, text } = await current(connection)
  terminal.err(connection.url)
  terminal.out(flags.has('--json') ? safeJson(text) : answerText('token.current', value, terminal.width))
  return EXIT.done
}

/** Serves an assistant; who asks and what it may is said before the first message. */
async function mcp(argv: readonly string[]): Promise<number> {
  const { flags, bare } = flagsOf(argv, ['--write', '--insecure-http'])
  if (bare.length) throw new UsageError(`“${plain(bare[0]!)}” is too much: fieldwork mcp [--write]`)
  const connection = connectionOf(process.env, flags.has('--insecure-http'))
  if (connection.token === null)
    throw new ExitError(`Nobody is signed in at ${connection.url}: set FIELDWORK_TOKEN, or use “fieldwork login”.`, EXIT.signIn)
  const { name, user } = ((await current(connection)).value as Output<'token.current'>).data
  // The package is loaded by nobody else.
  const { serveMcp } = await import('./mcp.ts')
  await serveMcp(new Remote(connection), {
    writes: flags.has('--write'),
    who: `the token “${plain(name)}” of ${plain(user.email)}`,
    warn: (line) => terminal.err(plain(line)),
  })
  return EXIT.done
}

function help([noun, word]: readonly string[]): number {
  if (!noun) terminal.out(helpOfAll())
  else if (Object.hasOwn(OWN_WORDS, noun)) terminal.out(OWN_WORDS[noun as keyof typeof OWN_WORDS])
  else terminal.out(word ? helpOfVerb(named(noun, word)) : helpOfNoun(nounNamed(noun)))
  return EXIT.done
}

function nounNamed(noun: string): string {
  if (idsOf(noun).length) return noun
  throw new UsageError(
    `There is no noun “${plain(noun)}”.${meant(noun, [...nounWords, ...Object.keys(OWN_WORDS)])} “fieldwork help” lists them.`,
  )
}

function named(noun: string, word: string): Verb {
  const verb = verbNamed(noun, word)
  if (verb) return verb
  const known = idsOf(nounNamed(noun)).map((id) => verbFor(id).verb)
  throw new UsageError(`There is no “${noun} ${plain(word)}”.${meant(word, known)} “fieldwork help ${noun}” lists its commands.`)
}

async function begin(argv: readonly string[]): Promise<number> {
  const [first, second, ...rest] = argv
  if (!first || first === '--help' || first === '-h') return help([])
  switch (first) {
    case '--version':
      console.log(manifest.version)
      return EXIT.done
    case 'help':
      return help(argv.slice(1))
    case 'login':
      return login(argv.slice(1))
    case 'logout':
      forget(process.env)
      terminal.err('Signed out. Revoke the token in the workspace if you no longer need it.')
      return EXIT.done
    case 'status':
      return status(argv.slice(1))
    case 'mcp':
      return mcp(argv.slice(1))
    case 'completion':
      process.stdout.write(completion(second))
      return EXIT.done
    default:
      if (!second || second === '--help' || second === '-h') return help([nounNamed(first)])
      return run(named(first, second), rest, terminal)
  }
}

// A reader that closes early, such as head, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done)
  throw error
})
process.once('SIGINT', () => stopping.abort(interrupted()))

const argv = process.argv.slice(2)
try {
  process.exitCode = await begin(argv)
} catch (thrown) {
  const error = stopping.signal.aborted ? interrupted() : thrown
  const verb = argv.length > 1 ? verbNamed(argv[0]!, argv[1]!) : undefined
  if (error instanceof ApiError && argv.includes('--json')) terminal.err(safeJson(error.text))
  else
    for (const line of linesOf(error, verb))
      terminal.err(
        plain(line) === line ? line : line.replace(/^(\s*)(.*)$/s, (_, gap: string, text: string) => gap + plain(text)),
      )
  process.exitCode = exitOf(error)
}
