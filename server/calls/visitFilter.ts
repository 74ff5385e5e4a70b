import type { visitFilterCalls } from '../../contract/visitFilter.ts'
import { HttpError } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'

const missing = async (): Promise<never> => {
  throw new HttpError(501, 'not_built', 'Not built yet')
}

export const visitFilterHandlers: HandlersOf<typeof visitFilterCalls> = {
  'filter.list': missing,
  'filter.save': missing,
  'filter.delete': missing,
  'filter.remove': missing,
}
