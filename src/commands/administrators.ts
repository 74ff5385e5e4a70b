import type { Api } from '../data/api.ts'
import type { Option } from './subject.ts'

/** Administrators to choose from, by first name. */
export const administrators = async (api: Api): Promise<Option[]> =>
  (await api.read('user.list', { role: 'admin', per_page: 500, column: 'first_name' })).data.map((user) => ({
    value: String(user.id),
    label: `${user.first_name} ${user.last_name}`.trim() || user.email,
    detail: user.email,
  }))
