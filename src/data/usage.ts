/** Reports which screen was opened to our own server: its route id, and nothing about the user. */
export const seen = (screen: string): void => {
  navigator.sendBeacon('/v3/portal/usage', new Blob([JSON.stringify({ screen })], { type: 'application/json' }))
}
