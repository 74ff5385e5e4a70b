import { ORGANIZATION } from '../../domain/organization.ts'
import { demoNoun, type NounRows } from '../noun.ts'

export const organization = demoNoun({
  tables: ['organizations'],
})

export const rows: NounRows<'organizations'> = {
  rows: (_, { people }) => {
    const at = people.users[0]!.created_at
    return { organizations: [{ id: 1, ...ORGANIZATION, settings: '{}', created_at: at, updated_at: at, lock_version: 1 }] }
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly organization: typeof organization
  }
}
