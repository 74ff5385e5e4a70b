import { randomUUID } from 'node:crypto'
import { allVerbs } from '../../../verbs/verbs.ts'
import { inputFor } from '../input/generate.ts'
import type { Random } from '../random.ts'
import { holdsToken, SECRET, storedOfOther, type Token, type World } from './world.ts'

/** What a tool answered, as far as the attacks read it. */
interface Said {
  status: number
  text: string
  failed: boolean
  value: { confirmation?: string; done?: boolean; error?: string }
}

/** Calls a tool by a bare message, as a hostile program would. */
async function use(url: string, token: string, name: string, input: unknown): Promise<Said> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  const text = await answer.text()
  const line = text.startsWith('{') ? text : (/^data: (\{.*"id":1\b.*\})$/m.exec(text)?.[1] ?? '{}')
  const { result } = JSON.parse(line) as { result?: { isError?: boolean; structuredContent?: Said['value'] } }
  return {
    status: answer.status,
    text,
    failed: !result || result.isError === true,
    value: result?.structuredContent ?? {},
  }
}

const BODIES: readonly string[] = [
  '',
  'null',
  '[]',
  '{',
  '"x"',
  '{}',
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":1,"method":"__proto__"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"command":"constructor"}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":[]}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"command":"project.list","input":{"per_page":5,"__proto__":{"page":1}}}}}',
  `[${Array(50).fill('{"jsonrpc":"2.0","id":1,"method":"ping"}').join()}]`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
  `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'y'.repeat(1_100_000)}"}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_commands","arguments":{"words":"${'a '.repeat(400)}"}}}`,
]

/** Sends what is no message, or a hostile one: a clear refusal each, and the next message is answered. */
export async function attackMessages({ urls, tokens }: World): Promise<string[]> {
  const faults: string[] = []
  const token = tokens.find(({ name }) => name === 'administrator')!
  for (const body of BODIES) {
    const answer = await fetch(`${urls[0]}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token.text}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body,
    })
    const text = await answer.text()
    const exchange = `${body.slice(0, 120)} → ${answer.status} ${text.slice(0, 200)}`
    if (answer.status >= 500) faults.push(`an error: ${exchange}`)
    if (/node_modules|at \w+ \(|\.ts:\d/.test(text)) faults.push(`internals were shown: ${exchange}`)
    if (text.length > 50_000) faults.push(`${text.length} characters were answered to ${body.slice(0, 120)}`)
  }
  const { value } = await use(urls[0]!, token.text, 'read', { command: 'token.current' })
  if (!JSON.stringify(value).includes('administrator')) faults.push('no message was answered after the hostile ones')
  return faults
}

/** Forged, swapped, replayed and concurrent confirmations: a change happens once, and only as reviewed. */
export async function attackConfirmations(world: World, random: Random, rounds: number): Promise<string[]> {
  const faults: string[] = []
  const named = (name: string) => world.tokens.find((one) => one.name === name)!
  const [owner, reader, fenced] = [named('administrator'), named('reader'), named('of a client')]
  const change = (token: Token, input: object) => use(random.pick(world.urls), token.text, 'change', input)
  const isLive = async (id: number) =>
    (await world.services.database.db.selectFrom('projects').select('status').where('id', '=', id).executeTakeFirstOrThrow())
      .status === 'active'
  for (let round = 0; round < rounds; round++) {
    const approved = () => world.make.project({ client_id: world.client.id, status: 'approved', name: `Wave ${round}` })
    const [one, other] = [await approved(), await approved()]
    const command = 'project.goLive'
    const { confirmation = '' } = (await change(owner, { command, input: { id: one.id } })).value
    if (!confirmation) faults.push('there was no review to attack')
    const forged: [string, Token, object][] = [
      ['for another record', owner, { command, input: { id: other.id }, confirmation }],
      ['for another command', owner, { command: 'project.complete', input: { id: one.id }, confirmation }],
      ['with more input', owner, { command, input: { id: one.id, force: true }, confirmation }],
      ['with its id as text', owner, { command, input: { id: `${one.id}` }, confirmation }],
      ['of another token', fenced, { command, input: { id: one.id }, confirmation }],
      ['by a token that only reads', reader, { command, input: { id: one.id }, confirmation }],
      ['that was invented', owner, { command, input: { id: one.id }, confirmation: randomUUID() }],
      ['cut short', owner, { command, input: { id: one.id }, confirmation: confirmation.slice(0, -1) }],
      ['in other letters', owner, { command, input: { id: one.id }, confirmation: confirmation.toUpperCase() }],
      ['as a pattern', owner, { command, input: { id: one.id }, confirmation: '%' }],
      ['as the older generation’s id', owner, { command: 'project.goLive', input: { id: one.id }, confirmation: 'true' }],
    ]
    for (const [what, token, input] of forged) {
      const answer = await change(token, input)
      if (answer.status >= 500) faults.push(`an error with a confirmation ${what}: ${answer.text.slice(0, 200)}`)
      if (answer.value.done) faults.push(`a confirmation ${what} was accepted`)
    }
    if ((await isLive(one.id)) || (await isLive(other.id))) faults.push('a project went live without its own confirmation')
    const all = await Promise.all(
      Array.from({ length: 8 }, () => change(owner, { command, input: { id: one.id }, confirmation })),
    )
    const done = all.filter(({ value }) => value.done)
    if (done.length !== 1) faults.push(`a confirmation that was sent eight times at once worked ${done.length} times`)
    const lines = await world.services.database.db
      .selectFrom('history')
      .select('id')
      .where('subject', '=', 'project')
      .where('subject_id', '=', one.id)
      .where('action', '=', command)
      .execute()
    if (lines.length !== 1) faults.push(`a project went live ${lines.length} times by one confirmation`)
    if ((await change(owner, { command, input: { id: one.id }, confirmation })).value.done)
      faults.push('a confirmation worked again')
  }
  const stored = JSON.stringify(await world.services.database.db.selectFrom('confirmations').selectAll().execute())
  if (holdsToken(stored, world.tokens)) faults.push('a token stands among the confirmations')
  return faults
}

/** Values that a prompt may smuggle into an id: other addresses, queries, lists and names of properties. */
const SMUGGLED = [
  '..',
  '.',
  '../users',
  '%2e%2e',
  '1?force=1',
  '1#',
  '1/../2',
  '__proto__',
  "1' or 1=1",
  '1;2',
  '\r\nx: y',
  '\u0000',
]

/** Runs commands as an assistant that was told so by a text: ids outside its scope, and writes where it reads. */
export async function attackPrompts(world: World, random: Random, requests: number): Promise<string[]> {
  const faults: string[] = []
  const tokens = world.tokens.filter((one) => one.limited && !one.dead)
  const reader = world.tokens.find(({ name }) => name === 'reader')!
  const verbs = allVerbs()
  const before = await storedOfOther(world)
  const ids = Object.values(world.theirs)
  for (let at = 0; at < requests; at++) {
    const verb = random.pick(verbs)
    const token = random.chance(0.15) ? reader : random.pick(tokens)
    const input = inputFor(verb.row.input, random)
    for (const { name } of verb.fields.filter(({ name }) => /(^|_)ids?$|Id$|^client$|^parent|id$/.test(name)))
      input[name] = random.chance(0.3) ? random.pick(SMUGGLED) : /ids$/.test(name) ? [random.pick(ids)] : random.pick(ids)
    const tool = random.pick(['read', 'read', 'change', 'describe_command'])
    const argument = tool === 'describe_command' ? { command: verb.id } : { command: verb.id, input }
    const first = await use(random.pick(world.urls), token.text, tool, argument)
    const { confirmation } = first.value
    const answers = [
      first,
      ...(confirmation ? [await use(random.pick(world.urls), token.text, tool, { ...argument, confirmation })] : []),
    ]
    for (const { status, text, failed, value } of answers) {
      const exchange = `${token.name}: ${tool} ${verb.id} ${JSON.stringify(input).slice(0, 250)} → ${status} ${text.slice(0, 250)}`
      if (status >= 500 || /"status":5\d\d/.test(text)) faults.push(`an error: ${exchange}`)
      if (token.limited && text.includes(SECRET)) faults.push(`another client’s text was read: ${exchange}`)
      if (token === reader && value.done) faults.push(`a token that reads changed something: ${exchange}`)
      if (tool === 'read' && verb.writes && !failed) faults.push(`read changed something: ${exchange}`)
      if (holdsToken(text, world.tokens)) faults.push(`a token stands in a response: ${exchange}`)
    }
  }
  if ((await storedOfOther(world)) !== before) faults.push('another client’s records were changed by an assistant')
  return faults
}
