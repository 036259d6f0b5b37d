import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { NewId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { answerParserErrors } from './parser-refusals.ts';
import { oneAtATime } from './pipelining.ts';

/** The time between two checks of the time limits of connections. */
const CHECK_EVERY_MS = 2000;

/** The limits of connections: the settings of `server`. */
export type ServerLimits = { max_connections: number; headers_ms: number; request_ms: number; idle_ms: number };

/** A server. `serve` makes an app answer its requests, in place of the app before it. */
type AppServer = {
  server: Server;
  limit(limits: ServerLimits): void;
  serve(app: Express, parts: { log: Logger; newId: NewId }): void;
};

/**
 * Creates a server for an Express app that may follow later. Requests and responses have the app's own prototypes from the start:
 * Express sets them for each request, which costs nothing if they are set.
 */
export function createAppServer(limits: ServerLimits): AppServer {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  const server = createServer({
    IncomingMessage: AppRequest,
    ServerResponse: AppResponse,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    // The app requires the Host itself, and answers with a problem if it is missing.
    requireHostHeader: false,
  });
  const limit = ({ max_connections, headers_ms, request_ms, idle_ms }: ServerLimits): void => {
    server.maxConnections = max_connections;
    server.headersTimeout = Math.min(headers_ms, request_ms);
    server.requestTimeout = request_ms;
    server.keepAliveTimeout = idle_ms;
  };
  limit(limits);
  let current: Express | undefined;
  return {
    server,
    limit,
    serve(app, { log, newId }) {
      app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
      app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
      const isFirst = current === undefined;
      current = app;
      if (!isFirst) return;
      answerParserErrors(server, log, newId);
      const listener = oneAtATime((req, res) => current?.(req, res));
      server.on('request', listener);
      server.on('checkExpectation', listener);
    },
  };
}
