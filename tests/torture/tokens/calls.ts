import { ruleOf } from '../../../contract/access.ts'
import type { Call } from '../../../contract/call.ts'
import { type CallId, calls } from '../../../contract/calls.ts'
import { opensLimited, refusedToTokens, scopesOf } from '../../../contract/tokenScope.ts'
import { requestOf } from '../../api/calling.ts'
import { fieldsOf, inputFor } from '../input/generate.ts'
import type { Random } from '../random.ts'
import { holdsToken, SECRET, storedOfOther, type Token, type World } from './world.ts'

/** Calls that a token may try; files and endless streams have their own parts. */
const ROWS = (Object.entries(calls) as [CallId, Call][]).filter(
  ([, row]) => row.as !== 'stream' && row.as !== 'multipart' && !row.media,
)
const NAMES = /(^|_)ids?$|Id$|^client$|^parent|^[bs]id$|^service$|^to$|^copy$/
const KINDS = ['project', 'child', 'client', 'survey', 'activity', 'target', 'note', 'question', 'team', 'entry'] as const

/** True if a token must never get anything from a call. */
function isClosed(id: CallId, row: Call, token: Token): boolean {
  const { who, token: always, key } = ruleOf(id)
  if (who === 'public' || always) return false
  if (token.dead || refusedToTokens(id, row)) return true
  if (!scopesOf(id, row).some((scope) => token.scopes.includes(scope))) return true
  return token.limited && token.isAdmins && !key && !opensLimited(id, true)
}

/** What the `id` of a call most likely is: a record of its noun, else a project or one of its parts. */
function kindOf(id: CallId, random: Random): (typeof KINDS)[number] {
  const noun = id.split('.')[0]!
  const own = KINDS.find((one) => one === noun)
  if (own && own !== 'target') return own
  return noun === 'target' || noun === 'content' ? 'activity' : random.pick(['project', 'project', 'survey', 'activity'] as const)
}

/** An input that names the other client's records in a way that a caller may try. */
function aimed(id: CallId, row: Call, world: World, random: Random): Record<string, unknown> {
  // A read with few filters is answered; one with all of them mostly finds nothing.
  const input: Record<string, unknown> = row.method === 'GET' && random.chance(0.6) ? {} : inputFor(row.input, random)
  const names = [...Object.keys(fieldsOf(row.input)), ...[...row.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!)]
  for (const name of names.filter((one) => NAMES.test(one))) {
    const from = random.chance(0.6) ? world.theirs : world.ours
    const kind = KINDS.find((one) => name.toLowerCase().startsWith(one)) ?? kindOf(id, random)
    const record = from[random.chance(0.8) ? kind : random.pick(KINDS)]
    input[name] = /ids$|^to$/.test(name) ? (random.chance(0.5) ? [record] : [record, world.ours.project]) : record
  }
  return input
}

/** Spellings of the header, and headers by which other servers were fooled. */
const headersFor = (token: Token, random: Random): Record<string, string> => ({
  authorization: random.pick([`Bearer ${token.text}`, `bearer ${token.text}`, `Bearer  ${token.text} `]),
  ...(random.chance(0.1) ? { 'x-http-method-override': 'DELETE', 'x-original-url': '/v3/portal/users' } : {}),
  ...(random.chance(0.1) ? { 'access-token': token.text, client: 'x', uid: 'admin@fieldwork.test' } : {}),
  ...(random.chance(0.2) ? { 'idempotency-key': random.pick(['launch-4180', 'note-of-today', 'retry-0001']) } : {}),
  'content-type': 'application/json',
})

export interface Tally {
  requests: number
  done: number
  refused: number
}

/**
 * Makes calls of the table with every kind of token, aimed at records outside their scope.
 * Returns what happened, and each promise that was broken.
 */
export async function attackCalls(world: World, random: Random, requests: number): Promise<{ tally: Tally; faults: string[] }> {
  const faults: string[] = []
  const tally: Tally = { requests: 0, done: 0, refused: 0 }
  const limited = world.tokens.filter((one) => one.limited || one.dead)
  const others = world.tokens.filter((one) => !one.limited && !one.dead && one.name !== 'administrator')
  // Answers of the administrator's own writes, stored under keys that others may guess.
  for (const key of ['launch-4180', 'note-of-today', 'retry-0001'])
    await world.apps[0]!.inject({
      method: 'POST',
      url: '/v3/portal/projects/note',
      headers: { ...world.headers, 'idempotency-key': key },
      payload: { project_id: world.theirs.project, note: `${SECRET} of ${key}` },
    })
  const before = await storedOfOther(world)
  for (; tally.requests < requests; tally.requests++) {
    const token = random.pick(random.chance(0.8) ? limited : others)
    const open = ROWS.filter(([id, row]) => !isClosed(id, row, token))
    const [id, row] = random.pick(open.length && token.limited && random.chance(0.7) ? open : ROWS)
    const closed = isClosed(id, row, token)
    // Unlimited tokens may change everything that their scopes open, so they only try what is closed.
    if (!token.limited && !token.dead && !closed) continue
    const { method, url, body } = requestOf(id, aimed(id, row, world, random))
    const answer = await fetch(`${random.pick(world.urls)}${url}`, {
      method,
      headers: headersFor(token, random),
      ...(method === 'GET' || body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
    })
    const text = await answer.text()
    const exchange = `${token.name}: ${id} ${JSON.stringify(body ?? url).slice(0, 300)} → ${answer.status} ${text.slice(0, 200)}`
    if (answer.ok) tally.done++
    else tally.refused++
    if (answer.status >= 500) faults.push(`an error: ${exchange}`)
    if (closed && answer.ok) faults.push(`a closed call was answered: ${exchange}`)
    if (token.dead && ruleOf(id).who !== 'public' && answer.status !== 401) faults.push(`a dead token was heard: ${exchange}`)
    if (token.limited && text.includes(SECRET)) faults.push(`another client’s text was read: ${exchange}`)
    if (holdsToken(text, world.tokens)) faults.push(`a token stands in a response: ${exchange}`)
  }
  if ((await storedOfOther(world)) !== before) faults.push('another client’s records were changed by a token without access')
  return { tally, faults }
}

/** Revokes a token while it makes calls: none that begins afterwards may be answered, on any process. */
export async function attackRevocation(world: World, rounds: number): Promise<string[]> {
  const faults: string[] = []
  for (let round = 0; round < rounds; round++) {
    const { id, text } = await world.token(`fleeting ${round}`, {})
    world.tokens.pop()
    let isRevoked = false
    let isOver = false
    const callers = world.urls.flatMap((url) =>
      Array.from({ length: 3 }, async () => {
        while (!isOver) {
          const late = isRevoked
          const answer = await fetch(`${url}/v3/portal/projects/${world.ours.project}`, {
            headers: { authorization: `Bearer ${text}` },
          })
          await answer.arrayBuffer()
          if (late && answer.ok) faults.push(`a call was answered after its token was revoked, in round ${round}`)
        }
      }),
    )
    await world.person('token.revoke', { id })
    isRevoked = true
    await Promise.all(world.urls.map((url) => fetch(`${url}/livez`).then((answer) => answer.arrayBuffer())))
    isOver = true
    await Promise.all(callers)
    for (const url of world.urls) {
      const { status } = await fetch(`${url}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${text}` }, body: '{}' })
      if (status !== 401) faults.push(`/mcp answered a revoked token with ${status}`)
    }
  }
  return faults
}
