import type { Ctx } from '../../core/context.ts'

/** Tells open workspaces that these services have new visits; who may see a service sees its event. */
export function emitVisits(ctx: Pick<Ctx, 'emit'>, services: Iterable<{ id: number; brand_id: number }>): void {
  const brands = new Set<number>()
  for (const { id, brand_id } of services) {
    brands.add(brand_id)
    ctx.emit({ noun: 'service', id, kind: 'counters' })
    ctx.emit({ noun: 'visit', id, kind: 'counters' })
  }
  for (const id of brands) ctx.emit({ noun: 'brand', id, kind: 'counters' })
}
