import { beforeAll, describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build.ts'
import { readFeed } from '../../src/search/feed.ts'
import { openIndex, type Searcher } from '../../src/search/searcher.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let searcher: Searcher
let cursor: number
let home: { id: number }
let project: { id: number; name: string }

const read = async (since: number | null) => {
  const { text } = await app.as('admin').raw('GET', `/v3/portal/palette/index${since === null ? '' : `?since=${since}`}`)
  return readFeed(text)
}
/** Applies a change as an open page does; returns whether each text finds the project. */
async function foundAfter(change: () => Promise<unknown>, typed: readonly string[]): Promise<boolean[]> {
  await change()
  const feed = await read(cursor)
  expect(feed.full).toBe(false)
  searcher.apply(feed)
  cursor = feed.cursor
  return typed.map(isFound)
}
/** True if the project has all of the words. */
const isFound = (text: string): boolean =>
  searcher.search(text).hits.some(({ kind, id, without }) => kind === 'project' && id === project.id && without.length === 0)

beforeAll(async () => {
  app = await fieldwork()
  home = await app.make.client({ name: 'Zebulon' })
  project = await app.make.project({ client_id: home.id, status: 'active', name: 'Quagga Walk' })
  const feed = await read(null)
  cursor = feed.cursor
  searcher = openIndex(buildIndex(feed.put))
  expect(searcher.search('zebulon quagga active').hits.map(({ id }) => id)).toEqual([project.id])
})

describe('an open index follows the second line, whoever changes it', () => {
  const admin = () => app.as('admin')

  test('a client renamed: by its new name, not by the old one', async () => {
    const renamed = () => admin().call('client.edit', { id: home.id, name: 'Yakutia' })
    expect(await foundAfter(renamed, ['yakutia quagga', 'yakutia', 'zebulon quagga active'])).toEqual([true, true, false])
    expect(searcher.search('zebulon').hits).toEqual([])
  })

  test('a project moved: by the other client, not by the first', async () => {
    const away = await app.make.client({ name: 'Xerus' })
    const moved = () => admin().call('project.edit', { id: project.id, client_id: away.id })
    expect(await foundAfter(moved, ['xerus quagga', 'xerus', 'yakutia'])).toEqual([true, true, false])
  })

  test('a status changed: by the new word, not by the old one', async () => {
    const paused = () => admin().call('project.setStatus', { id: project.id, status: 'paused', reason: 'The stores are closed' })
    expect(await foundAfter(paused, ['quagga paused', 'xerus paused', 'xerus active'])).toEqual([true, true, false])
  })
})
