/**
 * Every error that the service can answer with: its HTTP status, its number in Area A under
 * `plants.error-code=numbered`, and what it says when nothing more precise is known.
 */
export declare const errors: {
    readonly invalid_request: {
        readonly status: 400;
        readonly number: 4000;
        readonly message: 'The request is not valid.';
    };
    readonly idempotency_key_reused: {
        readonly status: 400;
        readonly number: 4002;
        readonly message: 'The Idempotency-Key was used with another request.';
    };
    readonly duplicate_id: {
        readonly status: 400;
        readonly number: 4001;
        readonly message: 'A plant with this id exists already.';
    };
    readonly missing_api_key: {
        readonly status: 401;
        readonly number: 4010;
        readonly message: 'No API key: send "Authorization: Bearer <API_KEY>".';
    };
    readonly invalid_api_key: {
        readonly status: 401;
        readonly number: 4011;
        readonly message: 'The API key is invalid or expired.';
    };
    readonly insufficient_permissions: {
        readonly status: 403;
        readonly number: 4030;
        readonly message: 'The API key does not permit this.';
    };
    readonly not_found: {
        readonly status: 404;
        readonly number: 4040;
        readonly message: 'The resource does not exist.';
    };
    readonly method_not_allowed: {
        readonly status: 405;
        readonly number: 4050;
        readonly message: 'The path does not have this method.';
    };
    readonly payload_too_large: {
        readonly status: 413;
        readonly number: 4130;
        readonly message: 'The body is too large.';
    };
    readonly unsupported_encoding: {
        readonly status: 415;
        readonly number: 4150;
        readonly message: 'The Content-Encoding is not supported: send the body as it is.';
    };
    readonly unsupported_media_type: {
        readonly status: 415;
        readonly number: 4151;
        readonly message: 'The Content-Type must be application/json.';
    };
    readonly rate_limit_exceeded: {
        readonly status: 429;
        readonly number: 4290;
        readonly message: 'The rate limit of the plan is exceeded.';
    };
    readonly internal_error: {
        readonly status: 500;
        readonly number: 5000;
        readonly message: 'Something went wrong on our side.';
    };
};
/** The name of an error in the catalogue. */
export type ErrorCode = keyof typeof errors;
/** An error that a client is told about. Everything that an operation throws and that is not one becomes `internal_error`. */
export declare class ApiError extends Error {
    name: string;
    readonly code: ErrorCode;
    readonly status: number;
    constructor(code: ErrorCode, message?: string, status?: number);
}
/** Area A's error body: an integer and a message (stated). */
export declare function toIntegerError(error: number, message: string): {
    error: number;
    message: string;
};
/** Area B's error body: code, message and request id in an object (stated). */
export declare function toObjectError(code: string, message: string, request_id: string): {
    error: {
        code: string;
        message: string;
        request_id: string;
    };
};
/** The error body of everything that is Greenhouse's own and not the API's: a header that names an unknown scenario, say. */
export declare function toControlError(code: string, message: string): {
    error: {
        code: string;
        message: string;
    };
};
