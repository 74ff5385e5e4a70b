import { beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../server/core/passwords.ts'
import { cookies, holder, PASSWORD, signIn } from './signing.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let hash: string
beforeAll(async () => {
  app = await fieldwork()
  hash = await hashPassword(PASSWORD)
})

describe('acting as a client user', () => {
  const reason = 'they see no projects'
  const target = () => app.make.user({ clients: [app.client.id], password_hash: hash })

  test('requires an administrator, an active client user and a reason', async () => {
    const [user, other, invited] = [
      await target(),
      await app.make.user({ role: 'admin' }),
      await app.make.user({ status: 'invited' }),
    ]
    expect((await app.as('client').call('session.actAs', { id: user.id, reason })).status).toBe(403)
    expect((await app.as('admin').call('session.actAs', { id: user.id })).body.fields).toHaveProperty('reason')
    expect((await app.as('admin').call('session.actAs', { id: other.id, reason })).body.message).toBe(
      'Only client users can be acted as.',
    )
    expect((await app.as('admin').call('session.actAs', { id: invited.id, reason })).body.code).toBe('not_now')
    expect((await app.as('admin').call('session.actAs', { id: 999_999, reason })).status).toBe(404)
  })

  test('shows what they see for 30 minutes, with both names in the history', async () => {
    const user = await target()
    const answer = await app.as('admin').call('session.actAs', { id: user.id, reason })
    expect(Number(answer.headers.expiry) * 1000 - Date.now()).toBeLessThanOrEqual(30 * 60_000)
    const me = (await holder(app, answer).call('session.meFull')).body.data
    expect(me).toMatchObject({ id: user.id, role: 'client', acting: { admin_id: app.admin.id, admin_name: 'Ada Admin', reason } })
    await holder(app, answer).call('session.switchBack')
    const lines = await app.db
      .selectFrom('history')
      .select(['action', 'actor_id', 'admin_id', 'reason'])
      .where('subject', '=', 'user')
      .where('subject_id', '=', user.id)
      .orderBy('id')
      .execute()
    expect(lines).toEqual([
      { action: 'session.actAs', actor_id: app.admin.id, admin_id: null, reason },
      { action: 'session.switchBack', actor_id: user.id, admin_id: app.admin.id, reason: '' },
    ])
    expect((await holder(app, answer).call('session.validate')).status).toBe(401)
  })

  test('can’t be nested, and can’t touch personal settings', async () => {
    const user = await target()
    const acting = holder(app, await app.as('admin').call('session.actAs', { id: user.id, reason }))
    expect((await acting.call('session.actAs', { id: (await target()).id, reason })).status).toBe(403)
    expect(
      (
        await acting.call('session.setPassword', {
          password: 'Next-pass-1',
          password_confirmation: 'Next-pass-1',
          current_password: PASSWORD,
        })
      ).status,
    ).toBe(403)
    expect((await acting.call('account.edit', { first_name: 'Hacked' })).body.code).toBe('acting')
  })

  test('does not count as one of the user’s ten devices', async () => {
    const user = await target()
    const first = await signIn(app, user.email)
    for (let device = 2; device <= 10; device++) await app.signIn(user)
    await app.as('admin').call('session.actAs', { id: user.id, reason })
    expect((await holder(app, first).call('session.validate')).status).toBe(200)
  })

  test('in a workspace, switching back restores the administrator’s cookie, even after the 30 minutes', async () => {
    const admin = await app.make.user({ role: 'admin', password_hash: hash })
    const user = await target()
    const own = await signIn(app, admin.email, PASSWORD, { 'x-fieldwork': 'workspace' })
    const answer = await cookies(app, own).call('session.actAs', { id: user.id, reason })
    expect((await cookies(app, own, answer).call('session.meFull')).body.data.id).toBe(user.id)
    await app.write((tx) => tx.deleteFrom('sessions').where('admin_id', '=', admin.id).execute())
    const back = await cookies(app, own, answer).call('session.switchBack')
    expect(back.status).toBe(200)
    expect((await cookies(app, own, answer, back).call('session.meFull')).body.data.id).toBe(admin.id)
  })

  test('never turns the acting token alone into an administrator', async () => {
    const user = await target()
    const answer = await app.as('admin').call('session.actAs', { id: user.id, reason })
    const back = await holder(app, answer).call('session.switchBack')
    expect(back.headers['access-token']).toBeUndefined()
    expect(back.headers['set-cookie']).toBeUndefined()
  })

  test('by GET accepts token headers, never a cookie', async () => {
    const admin = await app.make.user({ role: 'admin', password_hash: hash })
    const user = await target()
    const workspace = cookies(app, await signIn(app, admin.email, PASSWORD, { 'x-fieldwork': 'workspace' }))
    const path = `/v3/portal/switch_user/${user.id}?reason=helping`
    expect((await workspace.raw('GET', path)).status).toBe(401)
    expect((await app.as('admin').raw('GET', path)).status).toBe(200)
  })

  test('works even if the user must change a temporary password', async () => {
    const user = await app.make.user({ must_change_password: 1 })
    const acting = holder(app, await app.as('admin').call('session.actAs', { id: user.id, reason }))
    expect((await acting.call('account.get')).status).toBe(200)
  })

  test('ends when the administrator is demoted', async () => {
    const admin = await app.make.user({ role: 'admin' })
    const user = await target()
    const acting = holder(app, await (await app.signIn(admin)).call('session.actAs', { id: user.id, reason }))
    await app.as('admin').call('user.remove', { id: admin.id })
    expect((await acting.call('session.validate')).status).toBe(401)
  })
})
