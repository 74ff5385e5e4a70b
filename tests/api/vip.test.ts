import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const project = async (given: object = {}) => app.make.project({ client_id: app.client.id, ...given })
const vip = async (given: object = {}) => app.make.vip({ project_id: (await project()).id, name: 'Stadium tour', ...given })
const award = (experience: { id: number; project_id: number }, emails: string[] | string, more: object = {}) =>
  admin().call('award.create', { id: experience.project_id, experience_id: experience.id, emails, ...more } as never)

test('every call is for administrators, the client’s own project or not', async () => {
  const { id, project_id } = await vip()
  const calls = [
    ['GET', `/v3/portal/projects/${project_id}/vip_experiences`],
    ['GET', `/v3/portal/vip_experiences/project/search?search=s&id=${project_id}`],
    ['GET', '/v3/portal/vip_experiences/search?search=s'],
    ['POST', '/v3/portal/vip_experiences'],
    ['PUT', '/v3/portal/vip_experiences'],
    ['DELETE', `/v3/portal/vip_experiences/?id=${id}`],
    ['GET', `/v3/portal/projects/${project_id}/rewarded/experiences`],
    ['POST', `/v3/portal/projects/${project_id}/rewarded/experiences`],
    ['DELETE', `/v3/portal/projects/${project_id}/rewarded/experiences?id=1`],
  ] as const
  for (const [method, path] of calls) {
    expect((await app.as('stranger').raw(method, path, method === 'GET' ? undefined : {})).status, path).toBe(401)
    expect((await app.as('client').raw(method, path, method === 'GET' ? undefined : {})).status, path).toBe(403)
  }
  for (const source of ['vips', 'awards'] as const)
    expect((await app.as('client').call('export.start', { source, filter: { id: project_id } })).status).toBe(403)
  expect((await app.as('client').call('palette.index')).body.put.some(([kind]) => kind === 'vip')).toBe(false)
})

describe('an experience', () => {
  test('has a unique name within the project, ignoring case and spaces', async () => {
    const { id, project_id } = await vip()
    for (const name of ['', '  ']) {
      expect((await admin().call('vip.create', { project_id, name })).body.fields).toEqual({ name: MESSAGES.vipName })
      expect((await admin().call('vip.edit', { id, name })).body.fields).toEqual({ name: MESSAGES.vipName })
    }
    const taken = 'A VIP experience of this project already has this name.'
    expect((await admin().call('vip.create', { project_id, name: ' stadium  TOUR' })).body.fields).toEqual({ name: taken })
    expect((await admin().call('vip.create', { project_id: (await project()).id, name: 'Stadium tour' })).status).toBe(200)
    const other = await admin().call('vip.create', { project_id, name: 'Backstage pass' })
    expect((await admin().call('vip.edit', { id: other.body.data.id, name: 'Stadium Tour' })).body.fields).toEqual({
      name: taken,
    })
    // Its own name in another spelling isn't taken.
    expect((await admin().call('vip.edit', { id, name: 'Stadium Tour' })).status).toBe(200)
    await admin().call('vip.remove', { id })
    expect((await admin().call('vip.create', { project_id, name: 'Stadium tour' })).status).toBe(200)
  })

  test('is listed by project, and searched in one or in all', async () => {
    const { id, project_id } = await vip({ name: 'Harbor cruise' })
    await vip({ name: 'Harbor cruise' })
    await admin().call('vip.create', { project_id, name: 'Spa day' })
    const list = await admin().raw('GET', `/v3/portal/projects/${project_id}/vip_experiences.json?page=1`)
    expect((list.body as unknown as { count: number; data: { name: string }[] }).data.map((row) => row.name)).toEqual([
      'Harbor cruise',
      'Spa day',
    ])
    expect(
      (await admin().call('vip.searchInProject', { id: project_id, search: 'harb' })).body.data.map((row) => row.id),
    ).toEqual([id])
    expect((await admin().call('vip.search', { search: 'harb' })).body.count).toBe(2)
    expect((await admin().call('vip.list', { id: 999_999 })).status).toBe(404)
  })

  test('is found in the palette with its project', async () => {
    const { id, project_id } = await vip({ project_id: (await project({ name: 'Wave 12' })).id })
    const { put } = (await admin().call('palette.index')).body
    expect(put).toContainEqual(['vip', id, 'Stadium tour', `Wave 12 · P-${project_id}`])
  })

  test('returns both versions to a stale save', async () => {
    const { id } = await vip()
    await admin().call('vip.edit', { id, name: 'Box seats', lock_version: 1 })
    const { status, body } = await admin().call('vip.edit', { id, name: 'Back row', lock_version: 1 })
    expect([status, body]).toMatchObject([409, { mine: { name: 'Back row' }, theirs: { name: 'Box seats' }, clashes: ['name'] }])
  })

  test('keeps its awards in the list when deleted', async () => {
    const one = await vip()
    await award(one, ['kim@mail.test'])
    const { headers } = await admin().call('vip.remove', { id: one.id })
    expect((await admin().call('vip.get', { id: one.id })).status).toBe(404)
    const { data } = (await admin().call('award.list', { id: one.project_id })).body
    expect(data.map((row) => [row.email, row.experience_gone])).toEqual([['kim@mail.test', true]])
    expect((await admin().call('award.list', { id: one.project_id, by: 'experience' })).body.data[0]).toMatchObject({
      experience: 'Stadium tour',
      experience_gone: true,
      awarded: 1,
    })
    expect((await award(one, ['lee@mail.test'])).status).toBe(404)
    await admin().call('undo.take', { id: Number(headers['x-undo']) })
    expect((await admin().call('vip.get', { id: one.id })).body.data.awarded).toBe(1)
  })
})

describe('an award', () => {
  test('goes to an address once; repeats and invalid addresses are reported', async () => {
    const one = await vip()
    const first = await award(one, 'kim@mail.test; KIM@mail.test\nlee@mail.test, not-one')
    expect(first.body.data).toEqual({
      experience_id: one.id,
      awarded: 2,
      repeats: ['KIM@mail.test'],
      errors: [{ line: 4, value: 'not-one', message: 'The Email is not valid' }],
    })
    expect(first.body.message).toBe('2 people get “Stadium tour”; 1 had it already, 1 not valid.')
    const again = await award(one, ['Lee@mail.test', 'kim@mail.test'])
    expect([again.body.data.awarded, again.body.message]).toEqual([0, 'All 2 have it already.'])
    const wrong = await award(one, ['not-one'])
    expect([wrong.status, wrong.body.fields]).toEqual([422, { emails: 'The Email is not valid' }])
    expect(wrong.body).toMatchObject({ errors: ['The Email is not valid'] })
    expect(wrong.body.data.errors).toEqual([{ line: 1, value: 'not-one', message: 'The Email is not valid' }])
    expect((await admin().call('vip.get', { id: one.id })).body.data.awarded).toBe(2)
    expect(await app.db.selectFrom('mails').select('id').where('to_address', 'like', 'kim@%').execute()).toEqual([])
  })

  test('can be tried without being given', async () => {
    const one = await vip()
    const { body } = await award(one, ['kim@mail.test'], { dry: '1' })
    expect([body.data.awarded, body.message]).toEqual([1, '1 person would get “Stadium tour”.'])
    expect((await admin().call('award.list', { id: one.project_id })).body.count).toBe(0)
  })

  test('must be of the project’s own experiences', async () => {
    const [one, other] = [await vip(), await vip()]
    const { status } = await admin().call('award.create', {
      ...{ id: one.project_id, experience_id: other.id, emails: ['kim@mail.test'] },
    })
    expect(status).toBe(404)
  })

  test('is listed with who gave it, and what the address was paid in this project', async () => {
    const one = await vip()
    await app.make.entry({ project_id: one.project_id, email: 'Kim@mail.test', amount_cents: 1500, status: 'sent' })
    await app.make.entry({ project_id: one.project_id, email: 'kim@mail.test', amount_cents: 500, status: 'pending' })
    await award(one, ['kim@mail.test', 'lee@mail.test'])
    const { body } = await admin().call('award.list', { id: one.project_id, search: 'kim' })
    expect(body).toMatchObject({
      count: 1,
      page_size: 50,
      data: [{ by: 'Ada Admin', experience: 'Stadium tour', paid_cents: 1500 }],
    })
    const by = await admin().call('award.list', { id: one.project_id, by: 'experience' })
    expect(by.body.data).toMatchObject([{ experience_id: one.id, awarded: 2, email: '' }])
  })

  test('is withdrawn with a reason, can be given again, and is restored by undo only once', async () => {
    const one = await vip()
    await award(one, ['kim@mail.test'])
    const [row] = (await admin().call('award.list', { id: one.project_id })).body.data
    const other = await project()
    expect((await admin().call('award.withdraw', { id: other.id, ids: [row!.id] })).status).toBe(404)
    const { headers } = await admin().raw('DELETE', `/v3/portal/projects/${one.project_id}/rewarded/experiences?ids=${row!.id}`, {
      reason: 'Twice',
    })
    expect((await admin().call('award.list', { id: one.project_id })).body.count).toBe(0)
    expect((await award(one, ['kim@mail.test'])).body.data.awarded).toBe(1)
    const refused = await admin().call('undo.take', { id: Number(headers['x-undo']) })
    expect(refused.status).toBe(409)
    const lines = await app.db.selectFrom('history').select('reason').where('action', '=', 'award.withdraw').execute()
    expect(lines.map((line) => line.reason)).toContain('Twice')
  })
})
