import { demoNoun, type NounRows } from '../noun.ts'
import { listedMembers } from '../places.ts'

export const group = demoNoun({
  tables: ['location_groups', 'location_group_places'],
  after: ['client', 'place'],
  first: 301,
  example: (nth) => ({ name: `Stores ${nth}` }),
})

export const rows: NounRows<'location_groups' | 'location_group_places'> = {
  rows: (_, { places }) => ({
    location_groups: places.groups,
    location_group_places: [...places.members, ...listedMembers(places.listed)],
  }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly group: typeof group
  }
}
