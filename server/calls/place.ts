import type { placeCalls } from '../../contract/place.ts'
import type { Ctx } from '../core/context.ts'
import type { HandlersOf } from '../core/handler.ts'
import { byText } from '../db/foldedText.ts'
import { marketPlaces } from '../db/markets.ts'

const areas = (ctx: Ctx) => ctx.db.selectFrom('dmas').select(['code', 'name', 'rank']).orderBy(byText(ctx.db, 'name')).execute()
const targets = async (ctx: Ctx) => (await areas(ctx)).map((dma) => ({ id: dma.code, name: dma.name }))

export const placeHandlers: HandlersOf<typeof placeCalls> = {
  'dma.list': async (ctx) => {
    const rows = await areas(ctx)
    const places = marketPlaces()
    const dmas = rows.map((dma) => ({ dma_code: dma.code, dma_name: dma.name, rank: dma.rank, ...places.get(dma.code) }))
    return { data: dmas, count: dmas.length, page: 1, dmas }
  },
  'market.list': async (ctx) => {
    const rows = await targets(ctx)
    return { data: { count: rows.length, target_markets: rows } }
  },
  'target.list': async (ctx) => {
    const rows = await targets(ctx)
    return { data: rows, count: rows.length, page: 1, targets: rows }
  },
}
