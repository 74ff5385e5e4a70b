import { z } from 'zod'
import { call, Id } from './call.ts'
import type { Noun } from './nouns.ts'

/** Nouns that `{noun}.restore` restores; clients and projects have calls of their own. */
export const RESTORED = ['brand', 'group', 'location', 'partner', 'reward', 'service', 'survey', 'team'] as const
export type RestoredNoun = (typeof RESTORED)[number]

const restores = <P extends `/v3/portal/${string}`>(path: P, record: string, links: string, refreshes: readonly Noun[]) =>
  call({
    method: 'POST',
    path: `${path}/{id}/restore`,
    about: `Restores ${record} that was deleted, at any time: ${links} as they were. Returns 409 if a later change prevents it.`,
    undo: true,
    input: z.object({ id: Id }),
    output: z.object({ data: z.object({ id: z.number() }), message: z.string() }),
    refreshes: [...refreshes, 'history'],
  })

/** A restore for each noun that is deleted softly (docs/decisions/nouns.md). */
export const restoreCalls = {
  'brand.restore': restores('/v3/portal/visitation/brands', 'a brand', 'its services and filters are', ['service']),
  'group.restore': restores('/v3/portal/locationgroups', 'a location group', 'its locations and activities are', [
    'location',
    'activity',
    'client',
  ]),
  'location.restore': restores('/v3/portal/locations', 'a location', 'its groups are', ['group', 'activity']),
  'partner.restore': restores('/v3/portal/partners', 'a partner', 'its links are', ['project']),
  'reward.restore': restores('/v3/portal/rewards', 'a reward', 'its entries are', ['entry']),
  'service.restore': restores('/v3/portal/visitation/service', 'a service', 'its users are', ['brand', 'user']),
  'survey.restore': restores('/v3/portal/surveys', 'a survey', 'its links are', ['project', 'activity']),
  'team.restore': restores('/v3/portal/teams', 'a team', 'its users and projects are', ['client', 'user', 'project']),
} as const
