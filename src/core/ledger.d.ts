/** What the reference leaves open about keys, rate limits, errors and HTTP, in whichever area. */
export declare const coreAssumptions: {
    readonly 'rate-limit.reset-unit': {
        readonly question: "The unit of X-RateLimit-Reset";
        readonly values: readonly ["epoch-seconds", "delta-seconds", "epoch-milliseconds", "iso-8601"];
        readonly source: "published";
    };
    readonly 'rate-limit.window': {
        readonly question: "How the windows run: by the minute and UTC day, from the first request, or over the time just past";
        readonly values: readonly ["calendar", "first-request", "sliding"];
        readonly source: "ours";
    };
    readonly 'rate-limit.reported': {
        readonly question: "Which window the headers describe; tightest is the one with the fewest left, the minute on a tie";
        readonly values: readonly ["tightest", "minute", "day"];
        readonly source: "published";
    };
    readonly 'rate-limit.scope': {
        readonly question: "Who shares a budget";
        readonly values: readonly ["account", "key"];
        readonly source: "ours";
    };
    readonly 'rate-limit.rejected': {
        readonly question: "Whether a 429 spends budget";
        readonly values: readonly ["free", "counted"];
        readonly source: "convention";
    };
    readonly 'rate-limit.unauthenticated': {
        readonly question: "The rate-limit headers of a 401; free-plan shows the Free plan's numbers with nothing spent";
        readonly values: readonly ["free-plan", "absent"];
        readonly source: "stated";
    };
    readonly 'rate-limit.retry-after': {
        readonly question: "Whether a 429 carries Retry-After, in seconds";
        readonly values: readonly ["sent", "absent"];
        readonly source: "convention";
    };
    readonly 'auth.scheme-case': {
        readonly question: "Whether the scheme Bearer is taken in any letter case";
        readonly values: readonly ["any", "exact"];
        readonly source: "convention";
    };
    readonly 'auth.missing-code': {
        readonly question: "error.code when there is no key";
        readonly values: readonly ["missing_api_key", "invalid_api_key"];
        readonly source: "ours";
    };
    readonly 'auth.expired-code': {
        readonly question: "error.code of an expired key";
        readonly values: readonly ["invalid_api_key"];
        readonly source: "stated";
    };
    readonly 'errors.codes': {
        readonly question: "The other values of error.code: invalid_request 400, insufficient_permissions 403, not_found 404, rate_limit_exceeded 429, internal_error 500";
        readonly values: readonly ["snake-case"];
        readonly source: "convention";
    };
    readonly 'errors.request-id-header': {
        readonly question: "Whether every Area B reply carries X-Request-Id, equal to error.request_id";
        readonly values: readonly ["sent", "absent"];
        readonly source: "convention";
    };
    readonly 'http.head': {
        readonly question: "How HEAD on a path that has GET is answered";
        readonly values: readonly ["as-get", "404"];
        readonly source: "convention";
    };
};
