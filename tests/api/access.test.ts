import { beforeAll, describe, expect, test } from 'vitest'
import { refusedTo, ruleOf } from '../../contract/access.ts'
import { ADMIN_ONLY } from '../../contract/actor.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { inputFor } from '../torture/input/generate.ts'
import { randomOf } from '../torture/random.ts'
import { requestOf, signedIn } from './calling.ts'
import { otherWorld } from './other-world.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

const rows = Object.entries(calls) as [CallId, Call][]
/** A denial as the server phrases it. */
const spoken = (denial: string) => `${denial[0]!.toUpperCase()}${denial.slice(1)}.`
/** An id without a record. */
const NOBODYS = 1_999_999_999

let app: Fieldwork
const people: Record<string, Person> = {}

beforeAll(async () => {
  app = await fieldwork()
  const theirs = await otherWorld(app)
  const { services, admin, member } = app
  const session = async (...given: Parameters<typeof signedIn>) => app.person(await signedIn(...given))
  const revoked = await session(services, admin)
  expect((await revoked.raw('DELETE', '/v3/portal/auth/sign_out')).status).toBe(200)
  Object.assign(people, {
    stranger: app.as('stranger'),
    client: app.as('client'),
    'other client': theirs.person,
    admin: app.as('admin'),
    'acting as': await session(services, member, { admin_id: admin.id }),
    'expired token': await session(services, admin, { expires_at: new Date(Date.now() - 1000).toISOString() }),
    'revoked token': revoked,
    'another device’s name': app.person({ ...app.as('admin').headers, client: 'somebody-else' }),
    'half a token': app.person({
      ...app.as('admin').headers,
      'access-token': app.as('admin').headers['access-token']!.slice(0, -1),
    }),
  })
})

/** The response of each call before it reads its input, which doesn't follow from the table alone. */
function expected(id: CallId, who: string): 401 | 403 | 'let in' {
  const rule = ruleOf(id)
  if (rule.who === 'public') return 'let in'
  if (!['client', 'other client', 'admin', 'acting as'].includes(who)) return 401
  return who === 'admin' || rule.who === 'client' ? 'let in' : 403
}

describe('every call responds to each role as the access table says', () => {
  // Calls that end the caller's session, or stay open while someone listens.
  const apart = [
    'session.signOut',
    'session.switchBack',
    'account.endSession',
    'account.endOtherSessions',
    'live.stream',
    'session.setPassword',
    'session.setPasswordSettlers',
  ]
  test.each([
    'stranger',
    'expired token',
    'revoked token',
    'another device’s name',
    'half a token',
    'client',
    'other client',
    'acting as',
    'admin',
  ])('for %s', async (who) => {
    const wrong: string[] = []
    for (const [id] of rows) {
      const wanted = expected(id, who)
      if (wanted === 'let in' && apart.includes(id)) continue
      const { method, url, body } = requestOf(id, {})
      const { status, text } = await people[who]!.raw(method, url, body)
      const refused = status === 401 || (status === 403 && text.includes(spoken(refusedTo(id, { role: 'client' }) ?? ADMIN_ONLY)))
      if (wanted === 'let in' ? (refused && ruleOf(id).who !== 'public') || status >= 500 : status !== wanted)
        wrong.push(`${id}: ${status} instead of ${wanted}`)
    }
    expect(wrong).toEqual([])
  })
})

/**
 * TABLE  what an administrator may do while acting as a client user: everything on their behalf but personal actions.
 * A write open to client users that is missing here fails below, so that its author decides.
 */
const ACTING: Partial<Record<CallId, 'in their name' | 'refused' | 'by its own proof'>> = {
  'session.signIn': 'by its own proof',
  'session.signOut': 'in their name',
  'session.forgot': 'by its own proof',
  'session.setPassword': 'refused',
  'session.setPasswordSettlers': 'refused',
  'session.register': 'by its own proof',
  'session.requestAccount': 'by its own proof',
  'session.confirmEmail': 'by its own proof',
  'notice.stopMail': 'by its own proof',
  'fieldSession.outcome': 'by its own proof',
  'fieldSession.seen': 'by its own proof',
  'session.switchBack': 'in their name',
  'account.edit': 'refused',
  'account.endSession': 'refused',
  'account.resendEmail': 'refused',
  'account.cancelEmail': 'refused',
  'content.download': 'in their name',
  'account.endOtherSessions': 'refused',
  'token.create': 'refused',
  'token.revoke': 'in their name',
  'webhook.create': 'refused',
  'webhook.edit': 'refused',
  'webhook.rotate': 'refused',
  'webhook.pause': 'in their name',
  'webhook.resume': 'refused',
  'webhook.test': 'in their name',
  'webhook.replayFailed': 'in their name',
  'webhook.remove': 'in their name',
  'delivery.replay': 'in their name',
  'user.setCompany': 'refused',
  'project.setStatus': 'in their name',
  'request.create': 'in their name',
  'request.check': 'in their name',
  'campaign.create': 'in their name',
  'campaign.authorize': 'in their name',
  'project.approve': 'in their name',
  'project.ask': 'in their name',
  'message.send': 'in their name',
  'project.quoteOpened': 'in their name',
  'project.askQuote': 'in their name',
  'project.reject': 'in their name',
  'request.correct': 'in their name',
  'request.setPo': 'in their name',
  'project.follow': 'in their name',
  'category.check': 'in their name',
  'service.request': 'in their name',
  'filter.save': 'in their name',
  'filter.remove': 'in their name',
  'category.set': 'in their name',
  'file.upload': 'in their name',
  'file.uploadDocument': 'in their name',
  'file.link': 'in their name',
  'job.cancel': 'in their name',
  'job.retry': 'in their name',
  'job.link': 'in their name',
  'export.start': 'in their name',
  'notice.mark': 'refused',
  'desk.acknowledge': 'in their name',
  'desk.snooze': 'in their name',
  'desk.reopen': 'in their name',
  'snapshot.create': 'in their name',
  'usage.record': 'in their name',
  'undo.take': 'in their name',
  'undo.redo': 'in their name',
  'view.create': 'in their name',
  'view.edit': 'in their name',
  'view.remove': 'in their name',
}

describe('an administrator who acts as a client user', () => {
  const writes = rows.filter(([id, row]) => row.method !== 'GET' && (ruleOf(id).who === 'client' || ruleOf(id).who === 'public'))

  test('has an expectation for every write', () => {
    expect(Object.keys(ACTING).sort()).toEqual(writes.map(([id]) => id).sort())
  })

  test('may make the calls listed above, and none that is only for administrators', async () => {
    const acting = app.person(await signedIn(app.services, app.member, { admin_id: app.admin.id }))
    const wrong: string[] = []
    for (const [id, row] of rows.filter(([, row]) => row.method !== 'GET')) {
      if (id === 'session.signOut' || id === 'session.switchBack') continue
      const given = { ...inputFor(row.input, randomOf(7)), reset_password_token: undefined }
      const passwords = id.includes('setPassword') ? { password: 'Fieldwork-2!', password_confirmation: 'Fieldwork-2!' } : {}
      const { method, url, body } = requestOf(id, { ...given, ...passwords, id: NOBODYS })
      const { status, body: bodyText } = await acting.raw(method, url, body)
      // Without a link, a partner's call is for administrators, and refused while acting as a client user.
      const above = ruleOf(id).who === 'admin' || ruleOf(id).who === 'partner'
      const refused = status === 403 && bodyText.code === (above ? 'forbidden' : 'acting')
      if (refused !== (above || ACTING[id] === 'refused')) wrong.push(`${id}: ${status} ${bodyText.code}`)
    }
    expect(wrong).toEqual([])
    const me = await app.db.selectFrom('users').select(['company', 'password_hash']).where('id', '=', app.member.id).execute()
    expect(me).toEqual([{ company: app.member.company, password_hash: app.member.password_hash }])
  })

  test('stops acting once they are no longer an administrator', async () => {
    const boss = await app.make.user({ role: 'admin' })
    const acting = app.person(await signedIn(app.services, app.member, { admin_id: boss.id }))
    expect((await acting.call('session.validate')).status).toBe(200)
    await app.write((tx) => tx.updateTable('users').set({ role: 'client' }).where('id', '=', boss.id).execute())
    expect((await acting.call('session.validate')).status).toBe(401)
  })
})
