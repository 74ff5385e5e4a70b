import type { Output } from '../../contract/calls.ts'
import type { Api } from './api.ts'

/** Users per page. */
const PAGE = 500

/** Reads all client users by first name, page by page. */
export async function everyClientUser(api: Api): Promise<Output<'user.list'>['data']> {
  const users: Output<'user.list'>['data'] = []
  for (let page = 1; ; page++) {
    const { data, count } = await api.read('user.list', { role: 'client', per_page: PAGE, page, column: 'first_name' })
    users.push(...data)
    if (!data.length || users.length >= count) return users
  }
}
