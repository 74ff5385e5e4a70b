import { describe, expect, it } from 'vitest'
import { fieldwork } from './support.ts'

const app = await fieldwork()
const admin = app.as('admin')
const client_id = (await app.make.client()).id
const project_id = (await app.make.project({ client_id })).id
const all = (await admin.call('category.list')).body.data
const idOf = (name: string) => all.find((category) => category.name === name)!.id
const selected = async () =>
  (await admin.call('category.ofProject', { project: project_id })).body.data.filter((row) => row.selected).map((row) => row.name)

describe('the industry categories', () => {
  it('are 84, each with a SIC code, sorted by name, even without demo data', () => {
    expect(all).toHaveLength(84)
    expect(new Set(all.map(({ sic_code }) => sic_code)).size).toBe(84)
    expect(all.every(({ sic_code }) => /^\d{4}$/.test(sic_code))).toBe(true)
    expect(all.find(({ name }) => name === 'Restaurants')).toMatchObject({ sic_code: '5812' })
  })

  it('of a project are selected one by one, listed first, and counted', async () => {
    await admin.call('category.check', { project_id, category_id: idOf('Restaurants'), checked: true })
    const { body } = await admin.call('category.check', { project_id, category_id: idOf('Bars'), checked: true })
    expect(body.data).toMatchObject({ name: 'Bars', selected: true, projects_count: 1 })
    const list = (await admin.call('category.ofProject', { project: project_id })).body
    expect(list.data.slice(0, 3).map(({ name, selected }) => [name, selected])).toEqual([
      ['Bars', true],
      ['Restaurants', true],
      [all.find(({ name }) => name !== 'Bars' && name !== 'Restaurants')!.name, false],
    ])
    expect(list.count).toBe(84)
    await admin.call('category.check', { project_id, category_id: idOf('Bars'), checked: false })
    expect(await selected()).toEqual(['Restaurants'])
  })

  it('are replaced as a whole, with one line in the history', async () => {
    const before = (await admin.call('project.history', { id: project_id })).body.count
    await admin.call('category.set', { id: project_id, category_ids: [idOf('Banks'), idOf('Airlines')] })
    expect(await selected()).toEqual(['Airlines', 'Banks'])
    expect((await admin.call('project.get', { id: project_id })).body.data.categories.map(({ name }) => name)).toEqual([
      'Airlines',
      'Banks',
    ])
    const after = (await admin.call('project.history', { id: project_id })).body.count
    expect(after - before).toBe(1)
    await admin.call('category.set', { id: project_id, category_ids: [idOf('Banks'), idOf('Airlines')] })
    expect((await admin.call('project.history', { id: project_id })).body.count).toBe(after)
  })

  it('that don’t exist are refused by field name', async () => {
    const { status, body } = await admin.call('category.check', { project_id, category_id: 9999, checked: true })
    expect(status).toBe(422)
    expect(body).toMatchObject({ fields: { category_id: 'There is no category 9999' } })
  })

  it('of a project that a client user can’t see are hidden from them, and can’t be changed', async () => {
    const client = app.as('client')
    expect((await client.call('category.ofProject', { project: project_id })).status).toBe(404)
    expect((await client.call('category.check', { project_id, category_id: idOf('Bars'), checked: true })).status).toBe(404)
    expect((await client.call('category.set', { id: project_id, category_ids: [] })).status).toBe(404)
    expect((await client.call('category.list')).body.data.every(({ projects_count }) => projects_count === 0)).toBe(true)
    expect(await selected()).toEqual(['Airlines', 'Banks'])
  })
})
