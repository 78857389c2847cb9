/** What the reference leaves open about plants. */
export declare const plantAssumptions: {
    readonly 'plants.list.limit-name': {
        readonly question: "The name of the query parameter that caps the list";
        readonly values: readonly ["limit", "max", "count", "per_page"];
        readonly source: "published";
    };
    readonly 'plants.list.limit-default': {
        readonly question: "How many are listed without that parameter";
        readonly values: readonly ["all", "20", "100"];
        readonly source: "published";
    };
    readonly 'plants.list.limit-invalid': {
        readonly question: "A limit that is no int32 of 0 or more";
        readonly values: readonly ["400", "ignore"];
        readonly source: "ours";
    };
    readonly 'plants.list.limit-zero': {
        readonly question: "A limit of 0";
        readonly values: readonly ["empty", "all", "400"];
        readonly source: "ours";
    };
    readonly 'plants.list.order': {
        readonly question: "The order of the list";
        readonly values: readonly ["created", "newest", "id"];
        readonly source: "ours";
    };
    readonly 'plants.create.duplicate-id': {
        readonly question: "An id that exists already";
        readonly values: readonly ["400", "409", "replace"];
        readonly source: "published";
    };
    readonly 'plants.create.unknown-fields': {
        readonly question: "Fields beyond name, tag and id";
        readonly values: readonly ["ignore", "reject", "keep"];
        readonly source: "convention";
    };
    readonly 'plants.create.id-range': {
        readonly question: "Which int64 an id can be";
        readonly values: readonly ["any", "positive"];
        readonly source: "published";
    };
    readonly 'plants.name.length': {
        readonly question: "How many characters a name has";
        readonly values: readonly ["any", "1-255"];
        readonly source: "published";
    };
    readonly 'plants.body.includes-id': {
        readonly question: "Whether a returned plant also carries its id";
        readonly values: readonly ["no", "yes"];
        readonly source: "stated";
    };
    readonly 'plants.delete.status': {
        readonly question: "The status of a deletion";
        readonly values: readonly ["204", "200"];
        readonly source: "published";
    };
    readonly 'plants.delete.unknown': {
        readonly question: "Deletion of an id that does not exist";
        readonly values: readonly ["404", "400", "204"];
        readonly source: "ours";
    };
    readonly 'plants.delete.invalid-id': {
        readonly question: "An id in the path that is no int64";
        readonly values: readonly ["400", "404"];
        readonly source: "published";
    };
    readonly 'plants.delete.foreign': {
        readonly question: "Deletion of another caller's plant";
        readonly values: readonly ["404", "403"];
        readonly source: "convention";
    };
    readonly 'plants.error-code': {
        readonly question: "What the integer error is: the HTTP status, or the number of the error in Greenhouse's catalogue";
        readonly values: readonly ["status", "numbered"];
        readonly source: "ours";
    };
    readonly 'plants.rate-limits': {
        readonly question: "Whether plan limits and their headers apply to plants";
        readonly values: readonly ["off", "on"];
        readonly source: "ours";
    };
    readonly 'plants.webhook': {
        readonly question: "Whether creating a plant sends the event plant.created";
        readonly values: readonly ["on", "off"];
        readonly source: "published";
    };
    readonly 'plants.unknown-method': {
        readonly question: "A method that a path of plants does not have";
        readonly values: readonly ["404", "405"];
        readonly source: "ours";
    };
    readonly 'plants.body.too-large': {
        readonly question: "The status of a body over the limit";
        readonly values: readonly ["413", "400"];
        readonly source: "convention";
    };
    readonly 'plants.body.encoding': {
        readonly question: "The status of a body with a Content-Encoding";
        readonly values: readonly ["415", "400"];
        readonly source: "convention";
    };
    readonly 'plants.body.type': {
        readonly question: "The status of a body that is not declared as application/json";
        readonly values: readonly ["400", "415"];
        readonly source: "published";
    };
};
