import type { visitStateCalls } from '../../contract/visitState.ts'
import type { HandlersOf } from '../core/handler.ts'
import { visitState } from '../domain/visit/state.ts'

export const visitStateHandlers: HandlersOf<typeof visitStateCalls> = {
  'visit.state': async (ctx) => ({ data: await visitState(ctx.services.database) }),
}
