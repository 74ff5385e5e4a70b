/** Tells our own server which screen was opened: its id in the routes table, and nothing about anybody. */
export const seen = (screen: string): void => {
  navigator.sendBeacon('/v3/portal/usage', new Blob([JSON.stringify({ screen })], { type: 'application/json' }))
}
