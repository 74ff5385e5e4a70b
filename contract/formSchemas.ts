import { z } from 'zod'

/* Schemas of forms that send several calls, so that no call's schema covers them. */

/** Accepts any values. Such a form has its own checks, and the server validates each call. */
export const AnyValues = z.looseObject({})
