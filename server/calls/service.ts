import type { serviceCalls } from '../../contract/service.ts'
import { HttpError } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { liveService, serviceList } from '../domain/visit/services.ts'
import { usersOfServices } from '../domain/visit/serviceUsers.ts'

const missing = async (): Promise<never> => {
  throw new HttpError(501, 'not_built', 'Not built yet')
}

export const serviceHandlers: HandlersOf<typeof serviceCalls> = {
  'service.list': (ctx) => serviceList.page(ctx, ctx.input),
  'service.get': async (ctx) => ({ data: await liveService(ctx as never, ctx.input.id) }),
  'service.getBySid': async (ctx) => ({ data: await liveService(ctx as never, ctx.input.sid) }),
  'service.ofUser': missing,
  'service.usersOf': (ctx) => usersOfServices(ctx, ctx.input),
  'service.create': missing,
  'service.edit': missing,
  'service.remove': missing,
  'service.addUser': missing,
  'service.removeUser': missing,
  'service.setUsers': missing,
  'service.request': missing,
  'service.requested': missing,
}
