import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const family = (given: object = {}) =>
  app.make.project({ client_id: app.client.id, start_dt: '2030-03-10', end_dt: '2030-06-30', ...given })
const wave = { name: 'Wave 3', start_dt: '2030-04-01' }

describe('a child project', () => {
  test('has the parent’s client, ends 7 days after its start, and may be without a goal', async () => {
    const parent = await family()
    const { body } = await admin().call('project.createChild', { project_id: parent.id, ...wave })
    const child = (await admin().call('project.get', { id: body.data.child_project_id })).body.data
    expect(child).toMatchObject({
      parent_id: parent.id,
      client_id: app.client.id,
      end_dt: '2030-04-08',
      goal: 0,
      status_shown: 'Pending',
    })
    expect(body.warnings).toEqual(['Set a goal before it goes live.'])
  })

  test('several are created in one transaction, or none', async () => {
    const parent = await family()
    const rows = [
      { name: 'Wave 4', start_dt: '2030-04-08', goal: 50 },
      { name: 'Wave 5', start_dt: '2030-01-01', goal: 50 },
    ]
    const refused = await admin().call('project.createChild', { project_id: parent.id, ...wave, goal: 10, siblings: rows })
    const message = 'Start Date cant be before Star Date from Parent Campaign. (03/10/2030)'
    expect([refused.status, refused.body.fields]).toEqual([422, { 'siblings.1.start_dt': message }])
    expect((await admin().call('project.get', { id: parent.id })).body.data.children).toHaveLength(0)
    const [first] = rows
    const made = await admin().call('project.createChild', { project_id: parent.id, ...wave, goal: 10, siblings: [first!] })
    expect([made.body.data.child_project_ids.length, made.body.warnings]).toEqual([2, undefined])
    expect(
      (await admin().call('project.get', { id: parent.id })).body.data.children.map(({ name }: { name: string }) => name),
    ).toEqual(['Wave 3', 'Wave 4'])
  })

  test.each([
    [{ name: ' ' }, { name: 'Project Name cannot be blank' }],
    [{ start_dt: '' }, { start_dt: 'Project Start Date cannot be blank' }],
    [{ end_dt: '2030-03-31' }, { start_dt: 'Start Date has to be before End Date.' }],
    [{ start_dt: '2030-03-09' }, { start_dt: 'Start Date cant be before Star Date from Parent Campaign. (03/10/2030)' }],
  ])('with %j says %j', async (given, fields) => {
    const { id } = await family()
    const { status, body } = await admin().call('project.createChild', { project_id: id, ...wave, ...given })
    expect([status, body.fields]).toEqual([422, fields])
  })

  test('isn’t created from rows that aren’t valid children; each says so', async () => {
    const parent = await family()
    const refused = await admin().call('project.createChild', { project_id: parent.id, ...wave, siblings: [1, null] } as never)
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['siblings.0', 'siblings.1']])
  })

  test('of a child is refused: Only a top-level project has children.', async () => {
    const { id } = await family({ parent_id: (await family()).id })
    const { status, body } = await admin().call('project.createChild', { project_id: id, ...wave })
    expect([status, body.fields]).toEqual([422, { project_id: 'Only a top-level project has children.' }])
  })

  test('that ends after its parent is created with a warning', async () => {
    const { id } = await family()
    const { status, body } = await admin().call('project.createChild', { project_id: id, ...wave, goal: 5, end_dt: '2030-07-01' })
    expect([status, body.warnings?.length]).toEqual([200, 1])
  })

  test('copies the activities and the audience of the parent or a sibling, and nobody else’s', async () => {
    const parent = await family()
    const activity = await app.make.activity({ project_id: parent.id, name: 'Shelf photos' })
    await app.make.target({ activity_id: activity.id, age: '2,3', gender: 'female' })
    const { body } = await admin().call('project.createChild', { project_id: parent.id, ...wave, copy: parent.id })
    const child = (await admin().call('project.get', { id: body.data.child_project_id })).body.data
    expect(child.activities).toMatchObject([
      {
        name: 'Shelf photos',
        start_dt: '2030-04-01',
        end_dt: '2030-04-08',
        target: { age: '2,3', gender: 'female', version: 1 },
      },
    ])
    const again = await admin().call('project.createChild', { project_id: parent.id, ...wave, copy: child.id })
    expect(again.status).toBe(200)
    const other = await admin().call('project.createChild', { project_id: parent.id, ...wave, copy: (await family()).id })
    expect(Object.keys(other.body.fields)).toEqual(['copy'])
  })

  test('accepts the caller’s uploads of the allowed types', async () => {
    const parent = await family()
    const brief = await app.make.file({ uploaded_by: app.admin.id, original_name: 'brief.pdf' })
    const film = await app.make.file({ uploaded_by: app.admin.id, original_name: 'film.mp4' })
    const refused = await admin().call('project.createChild', { project_id: parent.id, ...wave, file_ids: [brief.id, film.id] })
    expect(refused.body.fields).toEqual({
      file_ids: 'Invalid file type.  File must be one of following types jpg, jpeg, png, gif, pdf, doc, docx, txt',
    })
    const siblings = [{ name: 'Wave 4', start_dt: '2030-04-08' }]
    const { body } = await admin().call('project.createChild', { project_id: parent.id, ...wave, file_ids: [brief.id], siblings })
    for (const id of body.data.child_project_ids)
      expect((await admin().call('project.get', { id })).body.data.files).toMatchObject([{ original_name: 'brief.pdf' }])
  })

  test('is removed by undo', async () => {
    const parent = await family()
    const made = await admin().call('project.createChild', { project_id: parent.id, ...wave })
    await admin().call('undo.take', { id: Number(made.headers['x-undo']) })
    expect((await admin().call('project.get', { id: made.body.data.child_project_id })).status).toBe(404)
  })
})

describe('a project’s teams and attributes', () => {
  test('a team has its users, 50 a page', async () => {
    const project = await family()
    const users = await Promise.all(Array.from({ length: 52 }, () => app.make.user()))
    const team = await app.make.team({ client_id: app.client.id, projects: [project.id], users: users.map(({ id }) => id) })
    const page = async (page: number) => (await admin().call('project.teams', { id: project.id, page })).body.data[0]!
    expect(await page(1)).toMatchObject({ id: team.id, users_count: 52 })
    expect([(await page(1)).users.length, (await page(2)).users.length]).toEqual([50, 2])
    expect(Object.keys((await page(1)).users[0]!)).toEqual(['user_id', 'first_name', 'last_name'])
  })

  test('its attributes count its parts; notes are only for administrators', async () => {
    const project = await family()
    await app.make.activity({ project_id: project.id })
    await admin().call('note.create', { project_id: project.id, note: 'Called them' })
    const read = async (who: 'admin' | 'client') =>
      Object.fromEntries(
        (await app.as(who).call('project.attributes', { id: project.id })).body.data.map(
          ({ key, value }: { key: string; value: unknown }) => [key, value],
        ),
      )
    expect(await read('admin')).toMatchObject({ activities: 1, surveys: 0, notes: 1, type: 'Survey' })
    expect(Object.keys(await read('client'))).not.toContain('notes')
  })

  test('its figures match its tabs’ lists, children included for a family', async () => {
    const parent = await family()
    const child = await app.make.project({ client_id: app.client.id, parent_id: parent.id })
    for (const { id: project_id } of [parent, child, child]) {
      const { id: activity_id } = await app.make.activity({ project_id })
      const survey = await app.make.survey({ project_id, activity_id })
      await app.make.question({ survey_id: survey.id, name: 'Which?' })
      await app.make.question({ survey_id: survey.id, name: 'Retired', retired_at: '2026-01-02T00:00:00.000Z' })
    }
    const { data } = (await admin().call('project.attributes', { id: parent.id })).body
    const of = (key: string) => data.find((line) => line.key === key)!.value
    const listed = await admin().call('activity.ofProject', { id: parent.id, family: true })
    expect([of('activities'), of('surveys'), of('questions')]).toEqual([listed.body.count, 3, 3])
    const surveys = await admin().call('survey.ofProject', { id: child.id })
    expect(surveys.body.data.map((survey) => survey.own_questions)).toEqual([1, 1])
  })

  test('a project out of scope is a 404', async () => {
    const { id } = await app.make.project({ client_id: (await app.make.client()).id })
    for (const call of ['project.teams', 'project.attributes'] as const)
      expect((await app.as('client').call(call, { id })).status).toBe(404)
  })
})
