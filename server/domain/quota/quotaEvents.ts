import type { Ctx } from '../../core/context.ts'

/** Tells open workspaces and webhooks that a plan has other figures. */
export const emitCounted = (ctx: Pick<Ctx, 'emit'>, id: number, project_id: number): void =>
  ctx.emit({ noun: 'quota', id, project_id, kind: 'counters' })
