import { describe, expect, it } from 'vitest'
import { fieldwork } from './support.ts'

const app = await fieldwork()

describe('market areas and places', () => {
  it('require signing in', async () => {
    for (const id of ['dma.list', 'market.list', 'target.list', 'location.dropdown'] as const)
      expect((await app.as('stranger').call(id)).status).toBe(401)
  })
  it('include all 210 market areas, the first 50 ranked, even without demo data', async () => {
    const { status, body } = await app.as('client').call('dma.list')
    expect(status).toBe(200)
    expect(body.dmas).toHaveLength(210)
    expect(body).toMatchObject({ data: body.dmas, count: 210, page: 1 })
    expect(body.dmas.find((area) => area.dma_code === 501)).toMatchObject({ dma_name: 'New York NY', rank: 1 })
    expect(body.dmas.filter((area) => area.rank !== null && area.rank <= 10)).toHaveLength(10)
  })
  it('have the same ids and names in the older and the newer forms', async () => {
    const markets = (await app.as('client').call('market.list')).body.data.target_markets
    const { targets, ...list } = (await app.as('client').call('target.list')).body
    expect(markets).toHaveLength(210)
    expect(targets).toEqual(markets)
    expect(list).toEqual({ data: targets, count: 210, page: 1 })
  })
  it('show locations only to administrators', async () => {
    await app.make.place({ name: 'Store #1', address: '1 Main St', latitude: 40.7, longitude: -74 })
    expect((await app.as('client').call('location.dropdown')).status).toBe(403)
    expect((await app.as('admin').call('location.dropdown')).body).toMatchObject({ data: [{ name: 'Store #1' }], count: 1 })
  })
})
