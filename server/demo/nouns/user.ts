import { demoNoun, type NounRows } from '../noun.ts'

export const user = demoNoun({
  tables: ['users', 'user_clients'],
  after: ['client'],
  first: 1001,
  amount: { test: 7, demo: 66, mid: 462, large: 6060 },
  example: (nth) => ({
    email: `person${nth}@mail.test`,
    first_name: 'Pat',
    last_name: `Person ${nth}`,
    phone: '2125550100',
  }),
})

export const rows: NounRows<'users' | 'user_clients'> = {
  rows: (_, { people }) => ({ users: people.users, user_clients: people.userClients }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly user: typeof user
  }
}
