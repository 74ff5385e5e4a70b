import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

// The fields the specification names exist and are correct (projects-area 3).
let app: Fieldwork
let dmas: { code: number; name: string }[]
beforeAll(async () => {
  app = await fieldwork()
  dmas = await app.db.selectFrom('dmas').select(['code', 'name']).orderBy('code').limit(12).execute()
})
const admin = () => app.as('admin')
const client = () => app.as('client')

async function activityOf(project_id: number, target: object | null) {
  const { id } = await app.make.activity({ project_id })
  if (target) await app.make.target({ activity_id: id, ...target })
  return id
}

describe('the v1 list', () => {
  test('has every market’s own id, the actual audience and whether it targets by location', async () => {
    const parent = await app.make.project({ client_id: app.client.id, generation: 'campaign', name: 'Audience parent' })
    const child = await app.make.project({ client_id: app.client.id, generation: 'campaign', parent_id: parent.id })
    const codes = dmas.map((dma) => dma.code).join(',')
    await activityOf(parent.id, {
      targeted_locations: codes,
      age: '2,3',
      gender: 'female',
      hhi: '0',
      ethnicity: 'white',
      marital_status: '1',
      children: '0',
    })
    await activityOf(child.id, { location_based: 'yes', gender: 'male' })
    const [row] = (await admin().call('campaign.list', { search: 'Audience parent' })).body.data.campaigns
    expect(row).toMatchObject({
      targeted_location: dmas.map(({ code, name }) => ({ id: code, name })),
      age_range: '2,3',
      gender: 'female',
      hhi_range: '0',
      ethnicity_range: 'white',
      marital_status_range: '1',
      presence_of_children_range: '0',
      location_based_ind: 'no',
    })
    expect(row!.children[0]).toMatchObject({ targeted_location: [], gender: 'male', location_based_ind: 'yes' })
    const detail = (await admin().call('campaign.get', { id: parent.id })).body.data
    expect(detail).toMatchObject({ targeted_location: codes, age_range: '2,3', location_based_ind: 'no' })
    expect(detail.children[0]).toMatchObject({ gender: 'male', location_based_ind: 'yes' })
    const [v3] = (await admin().call('project.list', { search: 'Audience parent', generation: 'campaign' })).body.data
    expect([...v3!.targeted_location_names].sort()).toEqual(dmas.map((dma) => dma.name).sort())
  })
})

test('the oldest age is "65 & Older" in the older generation, and 65+ in v3', async () => {
  const { id } = await app.make.project({ client_id: app.client.id, generation: 'campaign' })
  const label = (rows: readonly { value: string | number; label: string }[]) => rows.find((row) => row.value === 7)?.label
  expect(label((await client().call('runtime.ageV1', { id })).body.data.age)).toBe('65 & Older')
  expect(label((await client().call('runtime.overview', { id })).body.data.age)).toBe('65 & Older')
  const v3 = await app.make.project({ client_id: app.client.id })
  expect(label((await client().call('runtime.overview', { id: v3.id })).body.data.age)).toBe('65+')
})

describe('v3 records', () => {
  test('an activity has its files and location lists, a target its markets', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const id = await activityOf(project.id, { targeted_locations: `${dmas[1]!.code},${dmas[0]!.code}` })
    const group = await app.make.group({ client_id: app.client.id, name: 'Stores' })
    await app.write((tx) => tx.insertInto('activity_location_groups').values({ activity_id: id, group_id: group.id }).execute())
    await app.make.file({ project_id: project.id, activity_id: id, original_name: 'shelf.png' })
    const markets = [dmas[1]!, dmas[0]!].map(({ code, name }) => ({ id: code, name }))
    for (const activity of [
      (await client().call('activity.get', { id })).body.data,
      (await client().call('activity.ofProject', { id: project.id })).body.data[0]!,
      (await client().call('project.get', { id: project.id })).body.data.activities[0]!,
    ]) {
      expect(activity.assets).toMatchObject([{ original_name: 'shelf.png', url: expect.stringContaining('/download/') }])
      expect(activity.location_groups).toEqual([{ location_group_id: expect.any(Number), name: 'Stores' }])
      expect(activity.allowed_actions).toEqual([])
    }
    expect((await client().call('activity.target', { id })).body.data?.target_markets).toEqual(markets)
    expect((await client().call('project.get', { id: project.id })).body.data.activities[0]!.target?.target_markets).toEqual(
      markets,
    )
  })

  test('a child names its parent as project_id', async () => {
    const parent = await app.make.project({ client_id: app.client.id })
    await app.make.project({ client_id: app.client.id, parent_id: parent.id })
    const { data } = (await admin().call('project.get', { id: parent.id })).body
    expect([data.project_id, data.children[0]!.project_id]).toEqual([null, parent.id])
  })

  test('notes, files, activities and surveys list the caller’s allowed actions', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const survey = await app.make.survey({ project_id: project.id })
    const id = await activityOf(project.id, null)
    const note = (await admin().call('note.create', { project_id: project.id, note: 'Call them' })).body.data
    expect(note.allowed_actions).toEqual(['note.edit', 'note.remove'])
    expect((await admin().call('note.list', { id: project.id })).body.data[0]!.allowed_actions).toContain('note.edit')
    expect((await admin().call('activity.get', { id })).body.data.allowed_actions).toContain('file.attachToActivity')
    expect((await admin().call('survey.get', { id: survey.id })).body.data.allowed_actions).toContain('runtime.ingest')
    const seen = (await client().call('survey.ofProject', { id: project.id })).body.data[0]!
    expect([seen.allowed_actions, seen.refused_actions['runtime.ingest']]).toEqual([[], 'only an administrator can do this'])
    await app.make.file({ project_id: project.id, kind: 'docsign', original_name: 'signed.pdf', mime: 'application/pdf' })
    const [file] = (await admin().call('file.documents', { id: project.id })).body.data
    expect(file!.allowed_actions).toEqual(['file.link', 'file.rotate'])
    expect(file!.refused_actions['file.remove']).toBe('the last signed document cannot be removed')
  })
})
