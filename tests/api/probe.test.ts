import { beforeAll, describe, expect, test } from 'vitest'
import { ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { type Answer, type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  await app.make.user({ email: 'invited@fieldwork.test', status: 'invited' })
  await app.make.user({ email: 'deleted@fieldwork.test', deleted_at: new Date().toISOString() })
})

/** TABLE  further input of public calls that accept an address. */
const REST: Partial<Record<CallId, object>> = {
  'session.signIn': { password: 'Not-theirs-1!' },
  'session.forgot': {},
  'session.requestAccount': { name: 'Robin Reed', company: 'Reed & Co', phone: '2125550100' },
}
/** TABLE  public calls that identify nobody by an address, with their input. */
const ANONYMOUS: Partial<Record<CallId, string>> = {
  'session.signOut': 'nothing',
  'session.switchBack': 'nothing',
  'session.setPassword': 'a token of 256 bits',
  'session.setPasswordSettlers': 'a token of 256 bits',
  'session.invitation': 'a token of 256 bits',
  'session.register': 'a token of 256 bits',
  'session.confirmEmail': 'a token of 256 bits',
  'notice.mailKinds': 'a signed link',
  'notice.stopMail': 'a signed link',
  'file.download': 'a signed link',
  'fieldSession.outcome': 'the signature of a session, or a key',
  'fieldSession.seen': 'the signature of a session',
  'report.download': 'a signed link',
  'organization.config': 'nothing',
}
const open = (Object.keys(calls) as CallId[]).filter((id) => ruleOf(id).who === 'public')
const shapeOf = (row: Call) => (row.input as unknown as { shape?: object }).shape ?? {}
const takesAddress = (Object.entries(calls) as [CallId, Call][])
  .filter(([id, row]) => ruleOf(id).who === 'public' && 'email' in shapeOf(row))
  .map(([id]) => id)

/** Everything a stranger can learn from a response besides its timing, without random values. */
const toldBy = ({ status, headers, body }: Answer) => ({
  status,
  headers: Object.keys(headers).sort(),
  body: { ...body, request_id: '' },
})

test('every public call takes an address, or is listed above', () => {
  expect(open.filter((id) => !takesAddress.includes(id)).sort()).toEqual(Object.keys(ANONYMOUS).sort())
})

describe('a public call responds the same whether or not the account exists', () => {
  test.each(takesAddress)('%s', async (id) => {
    const rest = REST[id]
    expect(rest, 'say above what else it needs').toBeDefined()
    const ask = async (email: string) => toldBy(await app.as('stranger').call(id, { ...rest, email }))
    const unknown = await ask('nobody@nowhere.test')
    for (const known of ['client@fieldwork.test', 'admin@fieldwork.test', 'invited@fieldwork.test', 'deleted@fieldwork.test'])
      expect(await ask(known), known).toEqual(unknown)
  })
})

test('no response to a stranger reveals the number of events', async () => {
  const known = await app.make.user()
  const asked = await app.as('stranger').call('session.forgot', { email: known.email })
  expect(asked.status).toBe(200)
  const configured = await app.as('stranger').call('organization.config', {}, { 'x-live-seen': 'none' })
  expect(configured.status).toBe(200)
  for (const { headers } of [asked, configured])
    expect(Object.keys(headers).filter((name) => name.startsWith('x-live'))).toEqual([])
  const mine = await app.as('admin').call('client.create', { name: 'Seen by its writer' })
  expect(mine.headers).toHaveProperty('x-live-own')
})
