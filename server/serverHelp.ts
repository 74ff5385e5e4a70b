/** Beside the server, as `npm start` prints it before anything is loaded. */
export const SERVER_HELP = `Runs the Fieldwork server. Its settings come from the environment (docs/settings.md, docs/operating.md).

  npm start                                  builds the workspace if it is stale, then runs the server
  node server/main.ts                        only the server, for supervisors and containers
  npm start -- --env-file /etc/fieldwork.env`
