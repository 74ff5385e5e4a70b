import { beforeAll, expect, test } from 'vitest'
import { requestOf } from '../../verbs/request.ts'
import { verbFor } from '../../verbs/verbs.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let client_id: number
beforeAll(async () => {
  app = await fieldwork()
  client_id = (await app.make.client({ name: 'Two generations' })).id
  for (const name of ['New A', 'New B']) await app.make.project({ client_id, name })
  await app.make.project({ client_id, name: 'Old A', generation: 'campaign' })
})
const admin = () => app.as('admin')

test('a list of one generation counts what it leaves out of the other', async () => {
  for (const call of ['project.list', 'project.listAll', 'project.ofClient'] as const) {
    const read = (more: object) => admin().call(call, { client: client_id, client_id, ...more } as never)
    const bare = (await read({})).body as { data: unknown[]; other_generation?: number }
    expect([bare.data.length, bare.other_generation], call).toEqual([2, 1])
    const older = (await read({ generation: 'campaign' })).body as typeof bare
    expect([older.data.length, older.other_generation], call).toEqual([1, 2])
    const any = (await read({ generation: 'any' })).body as { data: { generation: string }[]; other_generation?: number }
    expect(any.data.map(({ generation }) => generation).sort(), call).toEqual(['campaign', 'project', 'project'])
    expect(any.other_generation).toBeUndefined()
    const searched = (await read({ search: 'Old' })).body as typeof bare
    expect([searched.data.length, searched.other_generation], call).toEqual([0, 1])
  }
  const { data } = (await admin().call('campaign.list', { client: client_id, sort: 'all' })).body
  expect([data.count, data.other_generation]).toEqual([1, 2])
})

test('the command line and assistants ask for both generations, unless one is named', () => {
  const verb = verbFor('project.list')
  expect(requestOf(verb, { input: {}, files: [] }).url).toBe('/v3/portal/projects?generation=any')
  expect(requestOf(verb, { input: { generation: 'project' }, files: [] }).url).toBe('/v3/portal/projects?generation=project')
  expect(requestOf(verbFor('client.list'), { input: {}, files: [] }).url).not.toContain('generation')
})
