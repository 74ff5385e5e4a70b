import { type RouteId, routeIds, rowOf } from './routes.ts'

/** One sentence about each screen; a build keeps it out of the first load (scripts/route-about.ts). */
export const about = Object.fromEntries(routeIds.map((id) => [id, rowOf(id).about])) as Record<RouteId, string>
