import type { Ctx } from '../../core/context.ts'

/** Emits that these services have new visits, to everyone who can see the service. */
export function emitVisits(ctx: Pick<Ctx, 'emit'>, services: Iterable<{ id: number; brand_id: number }>): void {
  const brands = new Set<number>()
  for (const { id, brand_id } of services) {
    brands.add(brand_id)
    ctx.emit({ noun: 'service', id, kind: 'counters' })
    ctx.emit({ noun: 'visit', id, kind: 'counters' })
  }
  for (const id of brands) ctx.emit({ noun: 'brand', id, kind: 'counters' })
}
