import { resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { startServer, type TestServer } from '../../support/server.ts'

const AHEAD = resolve(import.meta.dirname, 'ahead.mjs')
const DAY_MS = 86_400_000
/** Tries with a wrong password: more than any bucket holds. */
const WRONG = 45
/** How long (ms) work of the wrong clock may wait once it is right. */
const SETTLE_MS = 60_000
const ADMIN = { email: 'admin@fieldwork.test', password: 'Fieldwork-1!' }

const post = (server: TestServer, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const signIn = (server: TestServer, body: object) => post(server, '/v3/portal/auth/sign_in', body)

/** The token headers of an administrator who signs in, or the status that refused it. */
async function adminOf(server: TestServer): Promise<Record<string, string> | number> {
  const answer = await signIn(server, ADMIN)
  if (answer.status !== 200) return answer.status
  const names = ['access-token', 'token-type', 'client', 'expiry', 'uid']
  return Object.fromEntries(names.map((name) => [name, answer.headers.get(name) ?? '']))
}

/**
 * The part `clock` of `npm run torture`: a server whose clock is hours to weeks ahead is killed and started again.
 * With the right clock nobody is locked out, and what it had queued is done.
 */
export async function tortureClock(how: How): Promise<Outcome> {
  const faults: string[] = []
  let slowest = 0
  for (const ahead of [3_600_000, DAY_MS, 30 * DAY_MS]) {
    const env = { ...(await how.database()), DEMO: 'demo', LIMITS: 'exports_day=1' }
    const shift = `${ahead / 3_600_000} hours ahead`
    const wrong = await startServer({ ...env, NODE_OPTIONS: `--import ${AHEAD}`, CLOCK_AHEAD_MS: String(ahead) }, undefined, 180)
    const early = await adminOf(wrong)
    if (typeof early === 'number') throw new Error(`${shift}: signing in was answered ${early}`)
    const begun = await post(wrong, '/v3/portal/exports', { source: 'projects', filter: {} }, early)
    if (begun.status !== 200) throw new Error(`${shift}: an export was answered ${begun.status}`)
    // The same account and address, until all buckets are empty.
    for (let nth = 0; nth < WRONG; nth++) await signIn(wrong, { ...ADMIN, password: `Wrong-${nth}!` })
    await wrong.kill()
    const right = await startServer(env)
    const late = await adminOf(right)
    if (typeof late === 'number') faults.push(`${shift}: the right password was answered ${late}`)
    else {
      const again = await post(right, '/v3/portal/exports', { source: 'projects', filter: {} }, late)
      if (again.status !== 200) faults.push(`${shift}: an export was answered ${again.status}: ${await again.text()}`)
      const began = performance.now()
      let open: string[] = []
      do {
        await after(500)
        const { data } = (await (await fetch(`${right.url}/v3/portal/jobs`, { headers: late })).json()) as {
          data: { title: string; status: string }[]
        }
        open = data.filter(({ status }) => status === 'queued' || status === 'running').map(({ title }) => title)
      } while (open.length && performance.now() - began < SETTLE_MS)
      if (open.length) faults.push(`${shift}: still waiting: ${open.join(', ')}`)
      slowest = Math.max(slowest, Math.round(performance.now() - began))
    }
    await right.stop()
  }
  return { figures: { 'work of the wrong clock was done after (ms)': slowest }, faults }
}
