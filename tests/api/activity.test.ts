import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})

/** A survey project made by the request form's call, with a survey and a targeted activity. */
async function requested() {
  const { body } = await app.as('client').call('request.create', {
    client_id: app.client.id,
    name: 'Shelf Diary',
    goal: 50,
    start_dt: '2026-12-01',
    activity_type: 'survey',
    url: 'https://survey.test/s',
    location_based: 'yes',
    age: ['2'],
    gender: ['male'],
  })
  return body.data
}

describe('activities', () => {
  test('are listed and found by their own or their project’s name', async () => {
    const project = await requested()
    const found = (await app.as('admin').call('activity.list', { search: 'shelf' })).body
    expect(found.data[0]).toMatchObject({ project_id: project.id, activity_type: 'survey', survey_id: expect.any(Number) })
    expect((await app.as('admin').call('activity.listAll')).body.count).toBeGreaterThan(0)
    expect((await app.as('admin').call('activity.list', { search: 'nowhere' })).body.count).toBe(0)
  })

  test('are visible, with target and siblings, to everyone who sees the project', async () => {
    const project = await requested()
    const id = project.activities[0]!.id
    expect((await app.as('client').call('activity.get', { id })).body.data).toMatchObject({ id, name: 'Shelf Diary' })
    expect((await app.as('client').call('activity.target', { id })).body.data).toMatchObject({
      age: '2',
      gender: 'male',
      version: 1,
    })
    expect((await app.as('client').call('activity.ofProject', { id: project.id })).body.count).toBe(1)
  })

  test('of another client are hidden', async () => {
    const project = await requested()
    const stranger = await app.signIn(await app.make.user({ clients: [(await app.make.client()).id] }))
    expect((await stranger.call('activity.get', { id: project.activities[0]!.id })).status).toBe(404)
    expect((await stranger.call('activity.target', { id: project.activities[0]!.id })).status).toBe(404)
  })
})
