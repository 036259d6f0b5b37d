import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { NewId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { inTurn } from './in-turn.ts';
import { answerParserErrors } from './parser-refusals.ts';

/** How long a request's head and body may take to arrive. */
const REQUEST_TIMEOUT_MS = 60_000;

/** A server, and what lets an app answer its requests. */
type AppServer = { server: Server; serve(app: Express, parts: { log: Logger; newId: NewId }): void };

/**
 * Makes a server for an Express app, which need not be there yet. Requests and responses are made with the app's own prototypes:
 * Express sets these for each request, which costs nothing where they are set.
 */
export function createAppServer(): AppServer {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  const server = createServer({
    IncomingMessage: AppRequest,
    ServerResponse: AppResponse,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // The app asks for the Host, and says so if it is missing.
    requireHostHeader: false,
  });
  return {
    server,
    serve(app, { log, newId }) {
      app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
      app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
      answerParserErrors(server, log, newId);
      const listener = inTurn(app);
      server.on('request', listener);
      server.on('checkExpectation', listener);
    },
  };
}
